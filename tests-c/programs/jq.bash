# JSON is read, filtered, grouped, sorted, streamed and written.
# needs: jq
awk 'BEGIN { print "["; for (i = 0; i < 6000; i++)
    printf "%s{\"id\":%d,\"name\":\"name%d\",\"tags\":[\"t%d\",\"u%d\"],\"in\":{\"deep\":%d.5}}\n", i ? "," : "", i, i * 7919 % 20011, i % 17, i % 5, i % 100
    print "]" }' >data.json
run jq -c . data.json | cksum
run jq 'length, ([.[].in.deep] | add), (map(.name) | sort | .[777])' data.json
run jq -c 'group_by(.tags[0]) | map({tag: .[0].tags[0], n: length, max: (map(.id) | max)})' data.json
run jq -r '.[] | select(.id % 1000 == 7) | [.id, .name, (.tags | join("+"))] | @csv' data.json
run jq -c --stream 'select(length == 2)' data.json | cksum
run jq -S 'INDEX(.name) | to_entries | map(.value.id) | length' data.json
run jq '[.[] | .name | gsub("(?<n>[0-9])"; "<\(.n)>")] | .[1234:1240]' <(head -2001 data.json; echo ']')
run jq -n '[range(30000)] | map(. * . % 1009) | unique | length'
run jq -n 'def f: if . < 2 then . else (. - 1 | f) + (. - 2 | f) end; 15 | f'
echo '{"unfinished": [1, 2' | run jq . 2>&1
echo "status $?"

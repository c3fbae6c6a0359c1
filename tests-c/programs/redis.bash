# A server on a socket of its own: strings, lists, hashes, sets, scripts, fork to save, and a benchmark.
# needs: redis-server redis-cli redis-benchmark
serve redis-server --port 0 --unixsocket "$PWD/s" --save '' --dir "$PWD" --daemonize no \
    --loglevel warning --logfile log --maxclients 200 --databases 4 </dev/null >server.out 2>&1 &
server=$!
trap 'kill $server 2>/dev/null' EXIT
cli() { redis-cli -s "$PWD/s" "$@"; }
for _ in $(seq 200); do cli ping >/dev/null 2>&1 && break; sleep 0.05; done
cli ping
awk 'BEGIN { for (i = 0; i < 6000; i++) {
    printf "SET key:%d %0*d\n", i % 4000, i % 200 + 1, i
    printf "RPUSH list:%d item%d\n", i % 50, i
    printf "HSET hash:%d field%d value%d\n", i % 100, i, i
    printf "SADD set:%d member%d\n", i % 30, i % 4000
    printf "ZADD sorted:%d %d member%d\n", i % 20, i * 7919 % 10007, i
    printf "APPEND long:%d %s\n", i % 5, "0123456789" } }' >commands
cli <commands | sort | uniq -c | cksum
cli dbsize
cli get key:77 | cksum
cli lrange list:7 0 -1 | cksum
cli hgetall hash:5 | sort | cksum
cli zrange sorted:3 0 9 withscores
cli eval 'local t = {} for i = 1, 20000 do t[i] = i .. "x" end return #table.concat(t)' 0
cli config set maxmemory-policy noeviction
cli config set activedefrag no 2>&1 | head -c 2
echo
run redis-benchmark -s "$PWD/s" -q -n 20000 -c 20 -r 5000 -d 300 -t set,get,lpush,hset,mset >bench.out 2>&1
echo "benchmark $? $(grep -c 'requests per second' bench.out)"
cli bgsave | head -c 17
echo
for _ in $(seq 200); do cli info persistence | grep -q 'rdb_bgsave_in_progress:0' && break; sleep 0.05; done
cli info persistence | grep rdb_last_bgsave_status
cli dbsize | awk '{ print ($1 > 4000) }'
cli flushall
cli dbsize
cli shutdown nosave
wait $server
echo "server ended with $?"
trap - EXIT
grep -v -e 'WARNING' -e 'overcommit' log | grep -ci -e crash -e 'bug report' || true

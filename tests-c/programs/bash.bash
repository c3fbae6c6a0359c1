# Arrays, maps, functions, subshells, pipes, here-documents and globs.
# needs: bash
cat >script <<'X'
declare -A map
for i in {1..20000}; do
    map[key$((i % 3000))]+=" $i"
    list[i]=$((i * i))
done
echo "${#map[@]} ${map[key17]}" | cksum
echo "${list[*]}" | cksum
fib() { if (($1 < 2)); then echo "$1"; else echo $(($(fib $(($1 - 1))) + $(fib $(($1 - 2))))); fi; }
fib 10
text=
for ((i = 0; i < 5000; i++)); do text+="$i,"; done
echo "${text//,/;}" | cksum
mapfile -t lines < <(seq 20000)
echo "${#lines[@]} ${lines[9999]}"
while read -r a b; do echo "$b $a"; done <<<"$(seq 1 2000 | paste - -)" | cksum
mkdir -p d && touch d/{a..z}{0..9} && echo d/*[5-7] | cksum
printf '%s\n' "${!map[@]}" | sort | head -5
exec 3< <(for i in {1..50}; do (echo "$i" &) ; done; wait); sort -n <&3 | tail -1
X
run bash script

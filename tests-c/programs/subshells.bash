# A shell with thousands of subshells, pipes, and children in the background.
# needs: bash
cat >script <<'S'
sum=0
for ((i = 0; i < 1500; i++)); do
    sum=$((sum + $(echo $((i * 2)))))
done
echo "$sum"
for ((i = 0; i < 300; i++)); do (text=$(printf '%*s' $((i * 10)) x); (echo "${#text}") | { read -r n; echo "$n"; }); done | cksum
nest() { if (($1)); then (nest $(($1 - 1))); else echo bottom; fi; }
nest 150
for ((i = 0; i < 400; i++)); do { : $(( i * i )); exit $((i % 7)); } & done
wait
echo "status $?"
for ((i = 0; i < 200; i++)); do true | true | false | true; echo "${PIPESTATUS[*]}"; done | sort | uniq -c
coproc cat
for ((i = 0; i < 300; i++)); do echo "line $i" >&"${COPROC[1]}"; read -r line <&"${COPROC[0]}"; done
echo "$line"
trap 'echo end' EXIT
S
run bash script

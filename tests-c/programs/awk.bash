# Two implementations: arrays, splitting, substitution, printf, sorting, big numbers.
# needs: mawk gawk
text 60000 >input
cat >script.awk <<'A'
{ words[$3 % 5000] = words[$3 % 5000] " " $1; for (i = 1; i <= NF; i++) count[$i]++ }
/[a-f]+$/ { matched++; gsub(/[0-9]+/, "<&>"); length_of += length($0) }
NR % 1000 == 0 { n = split($0, parts, ""); letters += n; line[NR] = toupper($0) }
END {
    for (k in words) { sum += length(words[k]); if (k % 3 == 0) delete words[k] }
    for (k in words) left++
    for (k in count) kinds++
    print matched, length_of, letters, sum, left, kinds
    for (i = 0; i < 100000; i++) grow = grow (i % 10)
    print length(grow), substr(grow, 777, 20), index(grow, "9012"), sprintf("%08.3f|%x|%-9s|", 3.14159, 255, "left")
    for (i = 1000; i <= 5000; i += 1000) print line[i]
    while (("echo one two" | getline words_of) > 0) print words_of
    print fib(20)
}
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
A
run mawk -f script.awk input
run gawk -f script.awk input
run gawk 'BEGIN { PROCINFO["sorted_in"] = "@val_num_desc" } { t[$1 % 300] += $3 } END { for (k in t) if (++n <= 20) print k, t[k]; print asorti(t, s), s[7] }' input
run gawk -M 'BEGIN { PREC = 500; print 2 ^ 400, 3 ^ 200 % 1000007; printf "%.100f\n", sqrt(2) }' 2>/dev/null | cksum
run gawk -F, -v RS='[ \n]+' 'length($0) > 3 { a[substr($0, 1, 3)] = a[substr($0, 1, 3)] $0 } END { for (k in a) n += length(a[k]); print n }' input

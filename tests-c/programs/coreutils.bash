# sort with threads and with merging from disk, and the other text tools.
# needs: sort uniq join tac od factor
text 200000 >input
run sort --parallel=2 input | cksum
run sort -n -k1,1 -S 2M -T . input | cksum
run sort -u -k4,4 -R --random-source=input input | cksum
run sort -t' ' -k6 -s input | run uniq -c -f5 | cksum
head -5000 input | run sort -k1,1 >a
tail -n +2000 input | head -5000 | run sort -k1,1 >b
run join a b | cksum
run comm -12 a b | cksum
run tac input | cksum
run cut -d' ' -f2-4 input | run tr a-z A-Z | run fmt -w 60 | cksum
run od -An -tx1 a | run paste - - | cksum
run split -n 7 input part. && run cat part.* | cksum
run shuf --random-source=input -n 3000 input | cksum
run factor 1234567890123456789 18446744073709551557 340282366920938463463374607431768211297
run sha256sum input
run ls -lR --time-style=+ . | wc -l
run seq 1 0.1 2000 | cksum
run wc input
run expr 99999999999999999999999 \* 888888888888888888888888

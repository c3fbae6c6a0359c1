# Files are found, searched, edited and compared.
# needs: find xargs grep sed diff patch
for i in $(seq 300); do
    mkdir -p "tree/a$((i % 20))/b$((i % 7))"
    text $((i % 50 + 10)) >"tree/a$((i % 20))/b$((i % 7))/f$i"
done
cp -r tree other
run find tree -type f -name 'f*7' -size -3k -printf '%p %s\n' | sort | cksum
run find tree -depth -newermt 2000-01-01 | sort | run xargs -P2 -n 20 echo | wc -w
run grep -rc 'line [0-9]*7 ' tree | sort | cksum
run grep -rhoP '(?<=text )[a-z]{4,}' tree | sort | cksum
run grep -rEn -f <(seq 100 180) tree | sort | cksum
run find other -name 'f*3' -exec sed -i -E 's/([0-9]+) line/\1 changed/; 5d; $a end' {} +
run diff -ru tree other >change
sed 's/\t.*//' change | cksum
run patch -s -p0 <change
run diff -r tree other && echo same
text 30000 >long
run sed -n -e '1~3{s/[aeiou]/\U&/g;p}' -e '$=' long | cksum
run sed -e ':a;N;200!ba;s/\n/,/g' long | cksum
run diff <(head -20000 long) <(tail -20000 long) | cksum
run sed -E 's/(a|b|c)+$/<&>/;y/xyz/XYZ/' long | run grep -vw abc | cksum

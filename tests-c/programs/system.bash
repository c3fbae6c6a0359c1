# A whole system has the library in /etc/ld.so.preload: shells, tools, users and their rights.
# needs: unshare mount find grep sed awk tar gzip dpkg getent su runuser ps perl diff
whole_system <<'S'
if [ -z "$PRELOAD" ] || grep -q "$PRELOAD" /proc/self/maps; then echo "in place"; fi
env | cut -d= -f1 | grep -v -e LOHALLOC_ | sort
for shell in sh dash bash; do
    $shell -c 'i=0; while [ $i -lt 300 ]; do i=$((i + $(echo 1))); done; echo "$0 $i"' "$shell"
done
bash -lc 'echo "$PATH"; type ls; ulimit -c'
ls -la /usr/bin | awk '{ print $1, $3, $5, $9 }' | cksum
ls -lR --color=always /usr/share/doc | cksum
find /usr/lib -name '*.so*' -printf '%p %s %l\n' | sort | tee list | wc -l
xargs -n 50 echo <list | tr ' ' '\n' | sort | uniq -c | sort -rn | cksum
grep -rc GPL /usr/share/common-licenses | sort
sed -E 's/([^ ]+) ([0-9]+).*/\2 \1/' list | sort -n | tail -3
awk '{ sum[$2 % 10] += $2 } END { for (i in sum) print i, sum[i] }' list | sort
tar -C /usr/share -cf - common-licenses | gzip -9 | tar -xzf - && diff -r /usr/share/common-licenses common-licenses && echo same
dpkg -l | cksum
dpkg -S /bin/sh
getent passwd | cksum
getent group root daemon nogroup
getent hosts localhost
getent services ssh
id; whoami; groups
su -s /bin/sh -c 'id; env | cut -d= -f1 | grep -v LOHALLOC_ | sort; find /usr/share/common-licenses | sort | cksum' nobody 2>&1
runuser -u daemon -- sh -c 'id -un; ls /root' 2>&1
su -l -s /bin/bash -c 'whoami; pwd' root 2>&1
date -d @1700000000; locale; stat -c '%n %a %U' /etc/passwd /bin /tmp
perl -e 'print join(",", map { $_ * $_ } grep { $_ % 3 } 1 .. 50), "\n"; print scalar(getpwnam("root")), "\n"'
# Shells tell of a job that they see end, or do not, by chance.
{ sleep 30 & sleeper=$!
ps -o comm= -p $sleeper
kill $sleeper; wait $sleeper; echo "status $?"; } 2>/dev/null
timeout 0.1 sleep 5; echo "status $?"
for i in 1 2 3 4 5 6 7 8; do (seq $((i * 1000)) | nice sort -r | head -1 >"out$i") & done; wait; cat out?
S

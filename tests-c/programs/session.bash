# A session in which every process has the library, as with /etc/ld.so.preload: a login shell and
# what it starts, in pipes, at once, in the background, under another user and in a new session.
# needs: bash dash awk gawk perl python3 find xargs tar xz getent setsid make
cat >makefile <<'X'
all: $(patsubst %,out.%,$(shell seq 12))
out.%:
	@seq $* 400 | sort -rn | head -3 | paste -sd, >$@
X
cat >session <<'X'
umask 022
id -un
getent passwd root | cut -d: -f1,3,7
date -u -d @1700000000
stty size 2>/dev/null || echo "no terminal"
seq 3000 | awk '{ s[$1 % 7] += $1 } END { for (i in s) print i, s[i] }' | sort
seq 3000 | gawk '{ print $1 * $1 }' | tail -1
perl -e 'print join(",", map { $_ ** 2 } 1..20), "\n"'
python3 -c 'import threading
done = []
threads = [threading.Thread(target=lambda n=n: done.append(sum(range(n * 1000)))) for n in range(20)]
[t.start() for t in threads]; [t.join() for t in threads]
print(sorted(done)[-1])'
find /etc -maxdepth 1 -name 'pa*' | sort
seq 60 | xargs -P 6 -n 5 dash -c 'echo "$@" | wc -w' sh | sort | uniq -c
make -s -j4 && cat out.* | cksum
tar -cf - out.* | xz -1 | xz -d | tar -tf - | sort | cksum
for i in $(seq 40); do (echo "$i" | sed 's/^/line /' >job.$i) & done; wait; cat job.* | sort | cksum
nohup setsid bash -c 'sleep 0.1; echo from a session of its own' >later 2>/dev/null & wait; cat later
[ "$(id -u)" != 0 ] || su -s /bin/sh -c 'id -un; seq 100 | sort -n | tail -1' nobody
trap 'echo a signal came' USR1; kill -USR1 $$; ulimit -n 20; bash -c 'cat < /dev/null; echo few descriptors'
timeout 0.2 sleep 5; echo "timeout says $?"
exec bash -c 'echo "the end of $0"' session
X
run bash --noprofile --login session

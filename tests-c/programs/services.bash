# A whole system has the library in /etc/ld.so.preload: the services that a session starts.
# needs: unshare mount dbus-daemon dbus-send ssh ssh-keygen ssh-agent ssh-add gpg gpg-agent gpgconf curl systemctl
whole_system <<'S'
if [ -z "$PRELOAD" ] || grep -q "$PRELOAD" /proc/self/maps; then echo "in place"; fi
dbus-daemon --session --nofork --print-address=3 --address="unix:path=$PWD/bus" 3>address 2>/dev/null & bus=$!
for i in $(seq 100); do [ -s address ] && break; sleep 0.1; done
DBUS_SESSION_BUS_ADDRESS=$(cat address)
export DBUS_SESSION_BUS_ADDRESS
send() { dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus /org/freedesktop/DBus "$@"; }
for i in $(seq 20); do send org.freedesktop.DBus.NameHasOwner "string:org.example.N$i"; done | sort | uniq -c
send org.freedesktop.DBus.ListActivatableNames | cksum
send org.freedesktop.DBus.Introspectable.Introspect | cksum
[ -z "$PRELOAD" ] || grep -q "$PRELOAD" /proc/$bus/maps || echo "the bus runs without"
{ kill $bus; wait $bus; echo "bus: status $?"; } 2>/dev/null

ssh -V 2>&1
ssh -G -F none -p 2222 someone@example.org | grep -v -e identityfile -e knownhosts | cksum
ssh-keygen -q -t ed25519 -N '' -C us -f key
ssh-keygen -y -f key | cmp - key.pub && echo "same key"
echo "us $(cat key.pub)" >signers
echo "some text" | ssh-keygen -q -Y sign -f key -n file >text.sig
echo "some text" | ssh-keygen -q -Y verify -f signers -I us -n file -s text.sig && echo "signed"
ssh-agent -D -a "$PWD/agent" >/dev/null & agent=$!
for i in $(seq 100); do [ -S agent ] && break; sleep 0.1; done
export SSH_AUTH_SOCK=$PWD/agent
ssh-add -q key; ssh-add -l | cut -d' ' -f1,3-; ssh-add -qD; ssh-add -l
{ kill $agent; wait $agent; echo "agent: status $?"; } 2>/dev/null

export GNUPGHOME=$PWD/keys
mkdir -m 700 keys
gpg --batch -q --passphrase '' --quick-gen-key 'Us <us@example.org>' ed25519 2>/dev/null
gpg --batch -q --list-keys --with-colons | cut -d: -f1,4 | grep -v ^tru | sort | uniq -c
seq 20000 | gpg --batch -q --sign 2>/dev/null | gpg --batch -q --decrypt 2>/dev/null | cksum
seq 20000 | gpg --batch -q --passphrase word --pinentry-mode loopback -c | gpg --batch -q --passphrase word --pinentry-mode loopback -d | cksum
gpgconf --kill all

curl --version
for i in 1 2 3; do curl -s file:///etc/passwd file:///etc/services; done | cksum
curl -s http://127.0.0.1:1/; echo "curl: status $?"
systemctl --version
systemctl --root=/ list-unit-files --no-pager --no-legend | cksum
S

# A web server with two workers that compresses, includes, redirects, logs and reloads; curl fetches in parallel.
# needs: nginx curl
mkdir -p root/sub logs
for i in $(seq 40); do text $((i * 100)) >"root/f$i.txt"; done
echo '<html><!--#include virtual="/f1.txt" --></html>' >root/index.shtml
cat >nginx.conf <<C
$([ "$(id -u)" = 0 ] && echo "user root;")
worker_processes 2; pid $PWD/pid; error_log $PWD/logs/error crit;
events { worker_connections 200; }
http {
  access_log $PWD/logs/access; default_type text/plain;
  client_body_temp_path $PWD/b; proxy_temp_path $PWD/p; fastcgi_temp_path $PWD/f; uwsgi_temp_path $PWD/u; scgi_temp_path $PWD/s1;
  gzip on; gzip_types text/plain; gzip_min_length 10;
  server {
    listen unix:$PWD/s; root $PWD/root; ssi on;
    location /again { return 302 /f2.txt; }
    location /proxy/ { proxy_pass http://unix:$PWD/s:/; }
    location ~ ^/number/([0-9]+)\$ { return 200 "number \$1\n"; }
  }
}
C
serve nginx -p "$PWD" -e "$PWD/logs/error" -c "$PWD/nginx.conf" -g 'daemon off;' &
server=$!
trap 'kill $server 2>/dev/null' EXIT
for _ in $(seq 200); do curl -s -o /dev/null --unix-socket s http://x/ && break; sleep 0.05; done
fetch() { run curl -s --unix-socket "$PWD/s" "$@"; }
for turn in 1 2; do
    for i in $(seq 40); do fetch "http://x/f$i.txt"; done | cksum
    fetch --compressed http://x/f40.txt | cksum
    fetch -L http://x/again | cksum
    fetch http://x/proxy/f30.txt | cksum
    fetch http://x/index.shtml | cksum
    fetch 'http://x/number/[1-300]' | cksum
    fetch --parallel --parallel-max 20 'http://x/proxy/f[1-40].txt' -o 'got#1' 2>/dev/null
    cat got* | cksum
    fetch -o /dev/null -w '%{http_code}\n' http://x/missing
    fetch -r 100-200 http://x/f9.txt
    kill -HUP $server
    sleep 0.3
done
kill -QUIT $server
wait $server
echo "server ended with $?"
trap - EXIT
wc -l <logs/access
cat logs/error

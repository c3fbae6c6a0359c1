# A cluster is made, a server forks a process for each client, and pgbench's books balance.
# needs: pg_ctlcluster
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
PATH=$bin:$PATH
# The server refuses to run as root.
as=()
if [ "$(id -u)" = 0 ]; then
    chown nobody .
    as=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups)
fi
pg() {
    if [ -n "${as[*]}" ]; then run "${as[@]}" "$@"; else run "$@"; fi
}
pg initdb -D "$PWD/data" -U me -E UTF8 --no-locale --auth=trust -N >log || cat log
cat >>data/postgresql.conf <<C
listen_addresses = ''
unix_socket_directories = '$PWD'
fsync = off
shared_buffers = 16MB
max_connections = 20
max_parallel_workers_per_gather = 2
min_parallel_table_scan_size = 0
C
pg pg_ctl -D "$PWD/data" -l "$PWD/server.log" -w start >log 2>&1 || cat log server.log
trap 'pg pg_ctl -D "$PWD/data" -m immediate stop >/dev/null 2>&1' EXIT
sql() { pg psql -h "$PWD" -U me -d postgres -X -q -A -t "$@"; }
pg pgbench -h "$PWD" -U me -i -q -s 1 postgres >log 2>&1 || cat log
pg pgbench -h "$PWD" -U me -n -c 4 -j 2 -T 2 postgres >log 2>&1 || cat log
grep -c 'tps = ' log
sql <<'Q'
select count(*) > 100, sum(delta) = (select sum(abalance) from pgbench_accounts) from pgbench_history;
select (select sum(abalance) from pgbench_accounts) = (select sum(bbalance) from pgbench_branches),
       (select sum(abalance) from pgbench_accounts) = (select sum(tbalance) from pgbench_tellers);
create table t as select i, md5(i::text) as text, i % 1000 as part from generate_series(1, 200000) i;
create index on t(text);
analyze t;
select part, count(*), max(text), sum(length(text)) from t group by part order by 3 limit 10;
select count(*), sum(a.i) from t a join t b on a.text = b.text where a.part < 50;
set work_mem = '64kB';
select md5(string_agg(text, ',' order by text desc)) from t;
with recursive f(n, a, b) as (select 1, 1::numeric, 1::numeric union all select n + 1, b, a + b from f where n < 500) select max(a) from f;
select jsonb_object_agg(i, text) ->> '777', length(repeat('x', 30000000)) from t where i < 2000;
do $$ begin for i in 1..2000 loop execute format('select %s', i); begin perform 1 / (i % 2); exception when others then null; end; end loop; end $$;
select count(*) from t where text ~ '^[a-f]{3}';
vacuum full t;
Q
pg pg_dump -h "$PWD" -U me -t t postgres | grep -v -e '^--' -e '^\\' | cksum
sql -c 'select 1 / 0' 2>&1
pg pg_ctl -D "$PWD/data" -m fast -w stop >log 2>&1 || cat log
trap - EXIT
grep -c -e PANIC -e 'terminated by signal' server.log || true

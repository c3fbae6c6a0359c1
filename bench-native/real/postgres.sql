set work_mem = '32MB';
select abalance % 7, count(*), max(filler), sum(aid) from pgbench_accounts group by 1;
select count(*), sum(a.aid) from pgbench_accounts a join pgbench_accounts b on a.aid = b.aid + 1 where a.aid % 3 = 0;
select md5(string_agg(aid::text, ',' order by md5(aid::text))) from pgbench_accounts;
select length(jsonb_object_agg(aid, md5(aid::text))::text) from pgbench_accounts where aid <= 30000;
select count(*) from (select distinct substr(md5(aid::text), 1, 4) from pgbench_accounts) prefixes;
with recursive f(n, a, b) as (select 1, 1::numeric, 1::numeric union all select n + 1, b, a + b from f where n < 2000)
select length(max(a)::text) from f;

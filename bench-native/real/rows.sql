-- A table filled, indexed, joined, changed and emptied, in memory.
create table t (id integer primary key, k integer, name text, body blob);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 60000)
insert into t select x, (x * 7919) % 1009, 'name ' || (x * 31) % 5003, zeroblob(40 + x % 200) from c;
create index by_name on t (name);
create index by_k on t (k);
select count(*), sum(length(body)) from t a where exists (select 1 from t b where b.k = a.k and b.id < a.id);
update t set name = name || '!' where k % 3 = 0;
select name, count(*) from t group by name order by 2 desc, 1 limit 3;
delete from t where k % 2 = 0;
select count(*) from t;

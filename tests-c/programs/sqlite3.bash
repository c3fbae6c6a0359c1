# Tables, indexes, transactions, joins, text search, JSON, a file and a memory database.
# needs: sqlite3
cat >script.sql <<'X'
create table item(id integer primary key, name text, size integer, body text);
begin;
with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000)
insert into item select i, 'name' || (i * 7919 % 100003), i % 977, printf('%.*c', i % 90, 'x') from n;
commit;
create index by_name on item(name);
create index by_size on item(size, name);
select count(*), sum(size), sum(length(body)) from item;
select size, count(*), max(name) from item group by size order by 2 desc, 1 limit 10;
select a.id, b.id from item a join item b on a.id = b.size where a.size = 5 order by 1, 2 limit 20;
update item set body = body || name where id % 3 = 0;
delete from item where id % 7 = 0;
select count(*), sum(length(body)) from item;
create virtual table words using fts5(text);
insert into words select name || ' ' || body || ' word' || size from item where id < 20000;
select count(*) from words where words match 'word12 OR word13';
select json_extract(json_group_array(name), '$[77]') from (select name from item order by name limit 500);
select length(group_concat(name, ',')) from item;
select hex(zeroblob(20)), length(randomblob(3000000));
with recursive f(a, b) as (select 0, 1 union all select b, a + b from f where a < 1e15) select max(a) from f;
select name, row_number() over (order by name desc) from item limit 5;
vacuum;
pragma integrity_check;
X
run sqlite3 file.db <script.sql
run sqlite3 :memory: <script.sql | cksum
run sqlite3 file.db .dump | cksum

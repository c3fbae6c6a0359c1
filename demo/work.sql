-- A database in memory: filled, indexed, joined, then dropped for an empty one. The shell tells
-- what its process took by asking /proc for the parent of the command that asks.
.bail on
.print start
.system date +%s.%N
CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, city TEXT, note TEXT);
CREATE TABLE orders(id INTEGER PRIMARY KEY, user INTEGER, amount REAL, item TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120000)
INSERT INTO users SELECT i, 'name ' || i, 'city ' || (i * 7919 % 500), printf('%.*c', i % 200, 'x') FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
INSERT INTO orders SELECT i, i * 104729 % 120000 + 1, i % 1000 / 10.0, 'item ' || (i % 3000) FROM n;
CREATE INDEX by_city ON users(city);
CREATE INDEX by_user ON orders(user);
CREATE TABLE totals AS
  SELECT u.city, count(*) AS orders, sum(o.amount) AS amount, group_concat(o.item, ',') AS items
  FROM users u JOIN orders o ON o.user = u.id GROUP BY u.city;
UPDATE users SET note = note || name WHERE id % 3 = 0;
DELETE FROM orders WHERE id % 2 = 0;
SELECT 'cities', count(*), round(sum(amount), 1), sum(length(items)) FROM totals;
.print end
.system date +%s.%N
.system cat /proc/$PPID/stat
.open :memory:
.system sleep 1
.system grep ^Vm /proc/$PPID/status

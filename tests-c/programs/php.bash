# Extensions opened with RTLD_DEEPBIND, arrays, strings, closures, JSON, regular expressions, sorting.
# needs: php
cat >script.php <<'P'
<?php
function digest($value) { return substr(hash('sha256', serialize($value)), 0, 16); }
$table = [];
for ($i = 0; $i < 100000; $i++) $table["key$i"] = ['n' => $i, 'text' => str_repeat((string)$i, $i % 9)];
$text = json_encode($table);
echo "json ", strlen($text), " ", digest($text), " ", count(json_decode($text, true)), "\n";
for ($i = 0; $i < 100000; $i += 3) unset($table["key$i"]);
echo "array ", count($table), " ", digest($table), "\n";
echo "regex ", preg_match_all('/\d{3,5}/', $text), " ", digest(preg_replace('/\d+/', '<$0>', substr($text, 0, 20000))), "\n";
usort($table, fn($a, $b) => strcmp($b['text'], $a['text']) ?: $a['n'] <=> $b['n']);
echo "sort ", digest(array_column(array_slice($table, 0, 50), 'n')), "\n";
$grow = '';
for ($i = 0; $i < 300000; $i++) $grow .= sprintf('%05d|', $i);
echo "grow ", strlen($grow), "\n";
function numbers($n) { for ($i = 0; $i < $n; $i++) yield $i => str_repeat('g', $i % 30); }
$sum = 0;
foreach (numbers(50000) as $k => $v) $sum += $k + strlen($v);
echo "generator $sum\n";
class Node { public $me; public $next; }
for ($i = 0; $i < 50000; $i++) { $n = new Node; $n->me = $n; $n->next = [$n]; }
echo "cycles ", gc_collect_cycles() > 0 ? 'yes' : 'no', "\n";
echo "date ", date('Y-m-d', 86400 * 10000), " ", (new DateTime('2024-02-29'))->modify('+1 year')->format('c'), "\n";
for ($i = 0; $i < 3; $i++) echo shell_exec("echo child $i");
echo "iconv ", iconv('UTF-8', 'ISO-8859-1', 'abc'), " ", count(get_loaded_extensions()) > 20 ? 'extensions' : 'few', "\n";
file_put_contents('file', $text);
echo "file ", strlen(file_get_contents('file')), " ", md5_file('file'), "\n";
P
run php script.php
USE_ZEND_ALLOC=0 run php script.php
run php -m | cksum

# Hashes, closures, regular expressions, sprintf, sorting, string growth, fork.
# needs: perl
cat >script.pl <<'X'
use strict; use warnings;
my (%table, @list);
for my $i (1 .. 200000) {
    push @{ $table{ "k" . $i % 5000 } }, $i;
    $list[$i] = { n => $i, text => "x" x ($i % 50) };
}
my $sum = 0;
$sum += @$_ for values %table;
print "hash $sum ", scalar(keys %table), "\n";
my $text = join " ", map { $_->{text} . $_->{n} } @list[1 .. 50000];
my $count = () = $text =~ /x+(\d{3})\b/g;
(my $copy = $text) =~ s/(\d+)/<$1>/g;
print "regex $count ", length $copy, " ", unpack("%32C*", $copy), "\n";
my @sorted = sort { $b->{text} cmp $a->{text} || $a->{n} <=> $b->{n} } @list[1 .. 50000];
print "sort ", join(",", map { $_->{n} } @sorted[0 .. 20]), "\n";
my @closures = map { my $n = $_; sub { $n++ } } 1 .. 50000;
print "closures ", eval { my $s = 0; $s += $_->() for @closures; $s }, "\n";
my $grow = "";
$grow .= sprintf "%05d|", $_ for 1 .. 200000;
print "grow ", length $grow, "\n";
for my $i (1 .. 5) {
    my $pid = fork;
    if (!$pid) { my @more = map { "y" x $_ } 1 .. 2000; exit @more % 100 + $i }
    waitpid $pid, 0;
    print "child ", $? >> 8, "\n";
}
my @lines = `echo one; echo two`;
print "pipe ", @lines;
undef %table; undef @list;
print "deep ", deep(3000), "\n";
sub deep { no warnings; my $n = shift; my @local = (1) x 20; $n ? 1 + deep($n - 1) : 0 }
X
run perl script.pl

# A server on a socket of its own: values of many sizes, replaced, appended, evicted and deleted.
# needs: memcached perl
serve memcached -s "$PWD/s" -a 700 -u "$(id -un)" -m 16 -t 2 </dev/null >server.out 2>&1 &
server=$!
trap 'kill $server 2>/dev/null' EXIT
cat >client.pl <<'P'
use strict; use warnings; use IO::Socket::UNIX; use Digest::SHA qw(sha256_hex);
my $s;
for (1 .. 200) { $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) and last; select undef, undef, undef, 0.05 }
die "no server" unless $s;
sub ask { print $s @_; my $line = <$s>; $line =~ s/\r\n//; $line }
sub get {
    print $s "get $_[0]\r\n";
    my $head = <$s>;
    return 'none' if $head =~ /^END/;
    my ($size) = $head =~ / (\d+)\r\n/;
    read $s, my $value, $size + 2;
    <$s>;
    substr $value, 0, $size;
}
my %answers;
for my $i (0 .. 3999) {
    my $value = chr(97 + $i % 26) x ($i * 7919 % 3000 + 1);
    $answers{ask("set key$i 0 0 " . length($value) . "\r\n$value\r\n")}++;
}
for my $i (0 .. 999) { $answers{ask("append key$i 0 0 5\r\n12345\r\n")}++ }
for my $i (0 .. 999) { $answers{ask("delete key" . $i * 2 . "\r\n")}++ }
print "$_ $answers{$_}\n" for sort keys %answers;
print sha256_hex(join ',', map { get("key$_") } 0 .. 3999), "\n";
ask("set number 0 0 1\r\n1\r\n");
print join(' ', map { ask("incr number $_\r\n") } 1 .. 10), "\n";
my $kept = 0;
for my $i (0 .. 399) {
    ask("set large$i 0 0 500000\r\n" . ('z' x 500000) . "\r\n");
    $kept++ if get("large$i") eq 'z' x 500000;
}
print "large $kept\n";
P
perl client.pl "$PWD/s"
perl client.pl "$PWD/s"
kill -INT $server
wait $server
echo "server ended with $?"
trap - EXIT
cat server.out

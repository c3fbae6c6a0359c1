# Values of many lengths, stored, replaced and read through one connection; then the server ends.
use strict;
use warnings;
use IO::Socket::UNIX;
my $server;
for (1 .. 200) { $server = IO::Socket::UNIX->new(Peer => 'memcached.sock') and last; select undef, undef, undef, 0.05 }
die "no server" unless $server;
my $text = 'x' x 4000;
for my $round (0 .. 2999) {
    my ($set, $get) = ('', 'get');
    for my $i ($round * 100 .. $round * 100 + 99) {
        my $length = $i * 7919 % 3000 + 10;
        $set .= 'set key' . $i * 31 % 20000 . " 0 0 $length noreply\r\n" . substr($text, 0, $length) . "\r\n";
        $get .= ' key' . $i * 17 % 20000;
    }
    print $server $set, "$get\r\n" or die "no server";
    while (defined(my $line = <$server>)) { last if $line eq "END\r\n" }
}
print $server "shutdown\r\n";
1 while <$server>;

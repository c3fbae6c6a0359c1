# Hashes of strings, lists, and text built up and split again.
use strict;
my (%count, @lines);
for my $i (1 .. 60000) {
    my $line = join ' ', map { 'w' . ($i * $_ * 31) % 9973 } 1 .. 6;
    push @lines, $line if $i % 3 == 0;
    $count{$_}++ for split ' ', $line;
}
my %by;
push @{ $by{ length $_ } }, $_ for sort keys %count;
my $text = join "\n", @lines;
$text =~ s/w(\d+)5/x$1/g;
print scalar(keys %count), ' ', scalar(@lines), ' ', length($text), ' ', scalar(keys %by), "\n";

# Objects, strings, collections of garbage with compaction, fibers, threads, fork, big numbers, JSON.
# needs: ruby
cat >script.rb <<'R'
require 'json'
require 'digest'
require 'zlib'
def digest(value) = Digest::SHA256.hexdigest(value.to_s)[0, 16]
table = {}
100_000.times { |i| table["key#{i}"] = [i, i.to_s * (i % 9), { n: i }] }
text = JSON.generate(table)
puts "json #{text.size} #{digest(text)} #{JSON.parse(text).size}"
table.delete_if { |_, v| v[0] % 3 == 0 }
GC.start
puts "hash #{table.size} #{digest(table.keys)}"
puts "regex #{text.scan(/\d{3,5}/).size} #{digest(text[0, 20_000].gsub(/\d+/) { |n| "<#{n}>" })}"
puts "sort #{digest(table.keys.sort_by { |k| k.reverse })}"
puts "symbols #{(1..20_000).map { |i| "symbol#{i}".to_sym }.uniq.size}"
strings = (1..200_000).map { |i| 'x' * (i % 200) }
strings = strings.each_slice(2).map { |a, b| a + b.to_s }
GC.start(full_mark: true)
GC.compact if GC.respond_to?(:compact)
puts "strings #{strings.sum(&:size)}"
fibers = (1..2000).map { |i| Fiber.new { 5.times { |k| Fiber.yield(k * i) }; 0 } }
puts "fibers #{(1..5).sum { fibers.sum(&:resume) }}"
results = (1..8).map { |t| Thread.new { h = {}; 20_000.times { |i| h[i * t % 5000] = 'v' * (i % 50) }; h.values.sum(&:size) } }
puts "threads #{results.sum(&:value)}"
5.times do |i|
  pid = fork { exit!(Array.new(2000) { |n| 'y' * n }.size % 100 + i) }
  Process.wait(pid)
  puts "child #{$?.exitstatus}"
end
puts `echo pipe`
puts "big #{digest(3**20_000 % 10**3000)} #{digest((1..2000).inject(:*))}"
puts "zlib #{Zlib.crc32(Zlib.inflate(Zlib.deflate(text)))}"
begin
  'x' * (1 << 62)
rescue NoMemoryError, ArgumentError => error
  puts "error #{error.class}"
end
R
run ruby script.rb

# Objects, strings and hashes: records grouped and formatted.
Record = Struct.new(:id, :name, :tags)
records = (1..60_000).map { |i| Record.new(i, "name #{i % 977}", [i % 3, i % 5].map { |t| "t#{t}" }) }
groups = records.group_by(&:name)
lines = groups.map { |name, list| format("%s: %s", name, list.map { |r| r.tags.join("/") }.uniq.sort.join(",")) }
puts lines.length, lines.sum(&:length)

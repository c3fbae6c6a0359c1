# Tables, strings, closures, coroutines, collection of garbage, sorting.
# needs: lua5.4
cat >script.lua <<'X'
local t = {}
for i = 1, 200000 do t["k" .. i % 9000] = (t["k" .. i % 9000] or 0) + i end
local keys, sum = {}, 0
for k, v in pairs(t) do keys[#keys + 1] = k; sum = sum + v end
table.sort(keys)
print("table", #keys, sum, keys[1], keys[#keys])
local parts = {}
for i = 1, 100000 do parts[#parts + 1] = string.format("%05d:%s", i, ("x"):rep(i % 30)) end
local text = table.concat(parts, ",")
print("text", #text, select(2, text:gsub("%d+", "<%0>")))
local count = 0
for word in text:gmatch("(%d+):xx") do count = count + tonumber(word) end
print("match", count)
local generators = {}
for i = 1, 5000 do generators[i] = coroutine.wrap(function() for k = 1, 10 do coroutine.yield(k * i) end end) end
local total = 0
for round = 1, 10 do for i = 1, 5000 do total = total + generators[i]() end end
print("coroutines", total)
local function tree(depth) return depth == 0 and {} or { tree(depth - 1), tree(depth - 1) } end
local function size(node) return node[1] and 1 + size(node[1]) + size(node[2]) or 1 end
for depth = 4, 16, 4 do print("tree", depth, size(tree(depth))) end
local finalised = 0
for i = 1, 20000 do setmetatable({}, { __gc = function() finalised = finalised + 1 end }) end
collectgarbage() collectgarbage()
print("finalised", finalised)
local big = ("0123456789"):rep(1000000)
print("big", #big, #(big .. big), big:reverse():sub(1, 10))
print("error", pcall(string.rep, "x", 1 << 62))
X
run lua5.4 script.lua

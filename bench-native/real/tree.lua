-- Tables and strings that come and go: a tree rebuilt from its parts, and a word count.
local function tree(depth)
    if depth == 0 then return { leaf = tostring(depth) } end
    return { tree(depth - 1), tree(depth - 1), name = "node" .. depth }
end
local function count(t)
    if not t[1] then return 1 end
    return count(t[1]) + count(t[2])
end
local total = 0
for _ = 1, 12 do total = total + count(tree(14)) end
local words = {}
for i = 1, 150000 do
    local word = "w" .. (i * 7919) % 20011
    words[word] = (words[word] or 0) + 1
end
print(total, #words, words.w1)

// Maps, arrays, buffers and promises.
const nodes = new Map();
for (let i = 0; i < 60000; i++)
    nodes.set('n' + i, { id: i, next: ['n' + (i * 7 % 60000), 'n' + (i * 11 % 60000)], data: Buffer.alloc(64 + i % 64) });
let seen = new Set(), queue = ['n1'];
while (queue.length) {
    const name = queue.pop();
    if (seen.has(name)) continue;
    seen.add(name);
    queue.push(...nodes.get(name).next);
}
console.log(seen.size, JSON.stringify([...nodes.keys()]).length);

# Objects, typed arrays, buffers, JSON, regular expressions, promises, workers, zlib, crypto.
# needs: node
cat >script.js <<'X'
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const crypto = require('crypto'), zlib = require('zlib'), fs = require('fs'), child = require('child_process');
const digest = value => crypto.createHash('sha256').update(value).digest('hex').slice(0, 16);
function work(seed) {
  const map = new Map();
  for (let i = 0; i < 50000; i++) map.set('k' + (i * seed) % 7000, 'v'.repeat(i % 20));
  return [...map.values()].reduce((sum, v) => sum + v.length, 0);
}
if (!isMainThread) {
  parentPort.postMessage(work(workerData));
} else (async () => {
  const table = {};
  for (let i = 0; i < 100000; i++) table['key' + i] = { n: i, list: [i, i + 1], text: String(i).repeat(3) };
  const text = JSON.stringify(table);
  console.log('json', text.length, digest(text), Object.keys(JSON.parse(text)).length);
  console.log('regex', text.match(/"n":\d+7,/g).length, digest(text.slice(0, 100000).replace(/\d+/g, n => '<' + n + '>')));
  const buffers = [];
  for (let i = 0; i < 2000; i++) buffers.push(Buffer.alloc(1000 + i * 7, i % 256));
  console.log('buffers', digest(Buffer.concat(buffers)));
  const arrays = Array.from({ length: 50 }, (_, i) => new Float64Array(100000).fill(i));
  console.log('arrays', arrays.reduce((sum, a) => sum + a[99999], 0));
  const packed = zlib.gzipSync(text);
  console.log('zlib', digest(zlib.gunzipSync(packed)));
  const brotli = await new Promise((yes, no) => zlib.brotliCompress(text.slice(0, 300000), (e, r) => e ? no(e) : yes(r)));
  console.log('brotli', zlib.brotliDecompressSync(brotli).length);
  const results = await Promise.all([3, 5, 7].map(seed => new Promise((yes, no) => {
    const worker = new Worker(__filename, { workerData: seed });
    worker.on('message', yes).on('error', no);
  })));
  console.log('workers', results.join(' '));
  fs.writeFileSync('file', text);
  const parts = [];
  for await (const part of fs.createReadStream('file')) parts.push(part);
  console.log('stream', digest(Buffer.concat(parts)));
  console.log('key', digest(crypto.pbkdf2Sync('a', 'b', 5000, 64, 'sha512')));
  console.log('child', child.execFileSync(process.execPath, ['-p', '6 * 7']).toString().trim());
  const pending = [];
  for (let i = 0; i < 3000; i++) pending.push(new Promise(yes => setTimeout(() => yes('p'.repeat(i % 100)), i % 10)));
  console.log('promises', (await Promise.all(pending)).join('').length);
})();
X
run node script.js

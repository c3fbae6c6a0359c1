# Threads, child processes, big dicts, json, re, sorting, big numbers, with and without pymalloc.
# needs: python3
cat >script.py <<'X'
import collections, concurrent.futures, decimal, hashlib, io, json, os, pickle, re
import subprocess, sys, threading, zlib

def digest(value):
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]

table = {f"key{i}": [i, str(i) * (i % 9), {"n": i}] for i in range(100000)}
text = json.dumps(table)
assert json.loads(text) == table
print("json", len(text), digest(text[:5000]))
for i in range(0, 100000, 3):
    del table[f"key{i}"]
print("dict", len(table), digest(sorted(table)[:100]))
words = re.findall(r"[a-z]+(\d{3,5})", text)
print("re", len(words), digest(words[:1000]), digest(re.sub(r"(\d+)", r"<\1>", text[:20000])))
print("pickle", len(pickle.dumps(table)), digest(pickle.loads(pickle.dumps(table))["key1"]))
print("zlib", zlib.crc32(zlib.decompress(zlib.compress(text.encode()))))

results = collections.Counter()
lock = threading.Lock()
def work(seed):
    local = {}
    for i in range(20000):
        local[(seed * i) % 5000] = bytearray(i % 300)
    with lock:
        results.update({k: len(v) for k, v in local.items()})
threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
print("threads", sum(results.values()), len(results))
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    print("pool", sum(pool.map(lambda n: len(str(2 ** n)), range(2000))))
with concurrent.futures.ProcessPoolExecutor(2) as pool:
    print("processes", sum(pool.map(len, [["x"] * n for n in range(200)])))
for i in range(5):
    print("child", subprocess.run([sys.executable, "-c", f"print(sum(range({i * 1000})))"],
                                  capture_output=True, text=True).stdout.strip())
pid = os.fork()
if pid == 0:
    work(3)
    os._exit(7)
print("fork", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
decimal.getcontext().prec = 500
print("decimal", digest(decimal.Decimal(2).sqrt()))
print("numbers", digest(3 ** 20000 % 10 ** 3000))
buffers = [bytes(1 << 20) for _ in range(100)]
buffers = [b + b"x" for b in buffers[::2]]
print("buffers", sum(map(len, buffers)))
lines = io.StringIO("\n".join(f"{i * 7919 % 100003} line" for i in range(100000)))
print("sort", digest(sorted(lines)[:500]))
class Node:
    def __init__(self, next): self.next, self.me = next, self
node = None
for i in range(200000):
    node = Node(node if i % 100 else None)
print("cycles", __import__("gc").collect() > 0)
try:
    bytes(1 << 62)
except MemoryError:
    print("MemoryError")
X
run python3 -X utf8 script.py
PYTHONMALLOC=malloc run python3 -X utf8 script.py

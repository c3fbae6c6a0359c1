"""Server-like work in Python: builds many small objects, drops them, says what it took."""

import gc
import json
import os
import time


def memory(name):
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith(name + ":"):
                return int(line.split()[1])
    return 0


def build(seed):
    """Records as a service holds them: dicts of strings, lists and numbers."""
    return {
        f"user-{seed}-{i}": {
            "name": f"name {i}" * (i % 7 + 1),
            "tags": [f"tag-{j}" for j in range(i % 9)],
            "score": i * 1.5,
            "note": "x" * (i * 37 % 600),
        }
        for i in range(30_000)
    }


def main():
    start = time.perf_counter()
    kept = []
    for seed in range(3):
        records = build(seed)
        text = json.dumps(records)
        copy = json.loads(text)
        words = " ".join(record["name"] for record in copy.values()).split()
        words.sort()
        kept.append((len(text), records))
        if len(kept) > 2:
            kept.pop(0)
    took = time.perf_counter() - start
    times = os.times()
    del kept, records, copy, text, words
    gc.collect()
    time.sleep(1)
    print(f"time {took:.3f}")
    print(f"cpu {times.user + times.system:.3f}")
    print(f"peak {memory('VmHWM')}")
    print(f"after {memory('VmRSS')}")


main()

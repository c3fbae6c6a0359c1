"""Documents written, read and changed, as a web service does."""
import json

def document(n):
    return {
        "id": n,
        "name": f"item {n}",
        "tags": [f"tag{(n * k) % 97}" for k in range(1, 8)],
        "values": {str(k): n * k / 3 for k in range(12)},
    }

kept = []
for part in range(12):
    text = json.dumps([document(n) for n in range(part * 1000, part * 1000 + 1000)])
    kept.extend(item for item in json.loads(text) if item["id"] % 7 == 0)
kept.sort(key=lambda item: item["tags"])
print(len(kept), kept[0]["name"], sum(len(item["values"]) for item in kept))

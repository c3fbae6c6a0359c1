#!/bin/sh
# Strings, lists, hashes and sorted sets that come, are replaced and go; then the server ends.
set -eu
for _ in $(seq 200); do redis-cli -s redis.sock ping >/dev/null 2>&1 && break; sleep 0.05; done
redis-benchmark -s redis.sock -q -n 200000 -c 20 -P 16 -r 50000 -d 300 -t set,get,lpush,lpop,sadd,hset,zadd
redis-cli -s redis.sock shutdown nosave

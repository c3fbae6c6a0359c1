#!/bin/sh
# Short transactions of four clients and some long questions, none of which changes the data; then the server
# ends.
set -eu
export PGHOST="$PWD/data" PGUSER=bench PGDATABASE=postgres
for _ in $(seq 200); do pg_isready -q && break; sleep 0.05; done
pgbench -n -S -c 4 -t 4000
psql -X -q -A -t -f postgres.sql
kill -INT "$(head -n 1 data/postmaster.pid)"

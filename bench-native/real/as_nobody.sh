#!/bin/sh
# Runs a server that refuses to be root's: as_nobody.sh COMMAND...
[ "$(id -u)" != 0 ] || exec setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups "$@"
exec "$@"

#!/bin/sh
# Starts a Postgres of two. The first begins as the primary, the second waits for a copy of its data. While there is a file `held`, a pod
# waits as if its host were away.
trap 'exit 0' INT TERM
until [ ! -e /var/lib/postgresql/held ] && { [ "$HOSTNAME" = postgres-0 ] || [ -s "$PGDATA/PG_VERSION" ]; }; do
  sleep 0.2
done
trap - INT TERM
exec docker-entrypoint.sh postgres "$@"

#!/bin/bash
# Starts Postgres as the entry point of its official image does, as far as docker-compose.yml relies on it: root hands the data
# to the user `postgres` and becomes that user; an empty data folder gets a cluster and runs /docker-entrypoint-initdb.d.
set -eu

if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  find "$PGDATA" ! -user postgres -exec chown postgres {} +
  find /var/run/postgresql ! -user postgres -exec chown postgres {} +
  chmod 3777 /var/run/postgresql
  exec setpriv --reuid postgres --regid postgres --init-groups "$0" "$@"
fi

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  : "${POSTGRES_PASSWORD:?}"
  export POSTGRES_USER="${POSTGRES_USER:-postgres}"
  initdb --username "$POSTGRES_USER" --encoding UTF8 --locale C.UTF-8 --auth-local trust --auth-host scram-sha-256 \
    --pwfile <(echo "$POSTGRES_PASSWORD") --pgdata "$PGDATA"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  # On its socket only, so that nobody connects before the scripts have run.
  pg_ctl --pgdata "$PGDATA" --options "-c listen_addresses='' -k /var/run/postgresql" --wait start
  for script in /docker-entrypoint-initdb.d/*.sh; do
    [ -e "$script" ] || continue
    [ -x "$script" ] || { echo "$script is not executable" >&2; exit 1; }
    PGHOST=/var/run/postgresql "$script"
  done
  pg_ctl --pgdata "$PGDATA" --mode fast --wait stop
fi
exec "$@" -c listen_addresses='*' -k /var/run/postgresql

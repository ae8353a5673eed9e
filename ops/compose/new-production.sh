#!/bin/sh
# Writes the settings of a new production deployment on one machine into ./.env, with new passwords. Only its owner can read the file,
# and an existing one stays:
#
#   sh ops/compose/new-production.sh connect.example.com console.example.com 203.0.113.0/24
#
# The first name is for browsers and callers, the second for operators. The rest are the networks that may reach the console.
set -eu

lacks() {
  echo "Give $1, in this order:" >&2
  echo '  sh ops/compose/new-production.sh connect.example.com console.example.com 203.0.113.0/24' >&2
  exit 2
}

connect=${1:-} console=${2:-} networks=${3:-}
[ -n "$connect" ] || lacks 'the name under which browsers and callers reach the service'
[ -n "$console" ] || lacks 'the name under which operators reach the console'
[ -n "$networks" ] || lacks 'the networks that may reach the console (0.0.0.0/0 ::/0 for all)'
shift 2
if [ "$connect" = "$console" ]; then
  echo 'The two names must differ: a page of the one must not act for the other.' >&2
  exit 1
fi
for name in "$connect" "$console"; do
  case $name in
    *[!a-z0-9.-]* | *..* | .* | -* | localhost | *.localhost)
      echo "$name is not the name of a host: give it in small letters, without https:// and port." >&2
      exit 1
      ;;
    *.*) ;;
    *)
      echo "$name has no dot: give a name that is reached from outside." >&2
      exit 1
      ;;
  esac
done

if [ -e .env ] || [ -L .env ]; then
  echo '.env exists, and its passwords may be in use: nothing was changed. Move it away if you want another.' >&2
  exit 1
fi

password() {
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}

umask 077 # Whatever the caller's is.
set -C    # Not even a file that appears in between is overwritten.
cat >.env <<SETTINGS
COMPOSE_PROFILES=production
DEPLOYMENT=production
CONNECT_HOST=$connect
CONNECT_URL=https://$connect
CONSOLE_HOST=$console
CONSOLE_NETWORKS="$*"
ADMIN_URL=https://$console
TRUSTED_PROXIES=1
POSTGRES_PASSWORD=$(password)
SERVICE_DB_PASSWORD=$(password)
API_DB_PASSWORD=$(password)
WORKER_DB_PASSWORD=$(password)
MAINTENANCE_DB_PASSWORD=$(password)
TEMPORAL_DB_PASSWORD=$(password)
SETTINGS
echo 'Wrote .env. Keep a copy in a safe place: there is no other copy of these passwords.'

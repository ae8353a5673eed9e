#!/bin/sh
# Creates the vault's keys at the first start: folder $1 gets the api's keys, $2 the worker's, one file per variable. Keeps
# existing keys: without them, the values they sealed are lost.
set -eu

api=$1 worker=$2
[ ! -e "$worker/complete" ] || exit 0

umask 077
sets=$(node dist/main.js keys create)
echo "$sets" | while IFS='=' read -r name set; do
  case $name in
    VAULT_INBOX_PUBLIC_KEYS) folders=$api ;;
    VAULT_EDGE_KEYS | VAULT_MAC_KEYS) folders="$api $worker" ;;
    *) folders=$worker ;; # The api never gets the keys that open a grant or a code.
  esac
  for folder in $folders; do
    echo "$set" | tr -d "'" >"$folder/$name"
  done
done
chown -R 1000:1000 "$api" "$worker"
touch "$worker/complete"

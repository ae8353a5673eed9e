#!/bin/sh
# Makes the vault's keys at the first start: in the folder $1 those the api needs, in $2 those the worker needs, one file
# for each variable. What is there already is kept: without its keys, what they have sealed is lost.
set -eu

api=$1 worker=$2
[ ! -e "$worker/complete" ] || exit 0

umask 077
sets=$(node dist/main.js keys create)
echo "$sets" | while IFS='=' read -r name set; do
  case $name in
    VAULT_INBOX_PUBLIC_KEYS) folders=$api ;;
    VAULT_EDGE_KEYS | VAULT_MAC_KEYS) folders="$api $worker" ;;
    *) folders=$worker ;; # What opens a grant or a code, the api never gets to see.
  esac
  for folder in $folders; do
    echo "$set" | tr -d "'" >"$folder/$name"
  done
done
chown -R 1000:1000 "$api" "$worker"
touch "$worker/complete"

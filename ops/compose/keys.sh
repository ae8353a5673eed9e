#!/bin/sh
# Creates the vault's keys at the first start: folder $1 gets the api's keys, $2 the worker's, one file per variable. Keeps
# existing keys: without them, the values they sealed are lost.
#
# With further arguments it changes a set, as docs/configuration.md#keys says:
#   add NAME             a new key, last
#   first NAME           the last key, first
#   remove NAME KEY_ID   without that key
set -eu

api=$1 worker=$2
umask 077

if [ $# -gt 2 ]; then
  fresh=
  [ "$3" != add ] || fresh=$(node dist/main.js keys create --json)
  FRESH=$fresh exec node - "$@" <<'PROGRAM'
const fs = require('node:fs');
const [api, worker, step, name, keyId] = process.argv.slice(2);
const refuse = (reason) => {
  console.error(reason);
  process.exit(2);
};

const inbox = [`${worker}/VAULT_INBOX_PRIVATE_KEYS`, `${api}/VAULT_INBOX_PUBLIC_KEYS`]; // Two halves: they change together.
const files = {
  VAULT_GRANT_KEYS: [`${worker}/VAULT_GRANT_KEYS`],
  VAULT_EDGE_KEYS: [`${worker}/VAULT_EDGE_KEYS`, `${api}/VAULT_EDGE_KEYS`],
  VAULT_MAC_KEYS: [`${worker}/VAULT_MAC_KEYS`, `${api}/VAULT_MAC_KEYS`],
  VAULT_INBOX_PRIVATE_KEYS: inbox,
  VAULT_INBOX_PUBLIC_KEYS: inbox,
}[name];
const change = {
  add: (keys, set) => [...keys, ...JSON.parse(JSON.parse(process.env.FRESH)[set]).keys],
  first: (keys) => (keys.length > 1 ? [keys.at(-1), ...keys.slice(0, -1)] : refuse(`${name} has one key: add another first.`)),
  remove: (keys) => {
    if (name === 'VAULT_MAC_KEYS') refuse('VAULT_MAC_KEYS keeps its old keys: accounts and the journal need them.');
    const at = keys.findIndex(({ kid }) => kid === keyId);
    if (at < 0) refuse(`${name} has no key ${keyId}.`);
    return at === 0 ? refuse(`${keyId} is the first key of ${name}: it seals.`) : keys.toSpliced(at, 1);
  },
}[step];
if (files === undefined || change === undefined)
  refuse('Give `add NAME`, `first NAME` or `remove NAME KEY_ID`; NAME is a key set, such as VAULT_GRANT_KEYS.');

const changed = files.map((file) => {
  const set = file.split('/').at(-1);
  return { file, set, keys: change(JSON.parse(fs.readFileSync(file, 'utf8')).keys, set) };
});
for (const { file, keys } of changed) {
  const { uid, gid } = fs.statSync(file);
  fs.writeFileSync(`${file}.new`, `${JSON.stringify({ keys })}\n`);
  fs.chownSync(`${file}.new`, uid, gid);
  fs.renameSync(`${file}.new`, file);
}
for (const { set, keys } of changed.filter(({ set }, index) => changed.findIndex((one) => one.set === set) === index))
  console.log(`${set}: ${keys.map(({ kid }, index) => (index === 0 ? `${kid} (seals)` : kid)).join(', ')}`);
PROGRAM
fi

[ ! -e "$worker/complete" ] || exit 0

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

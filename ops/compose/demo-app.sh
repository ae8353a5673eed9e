#!/bin/sh
# Sets up the example application as an operator would, with the sandbox's well-known clients, and writes its key to the
# file $1. Does nothing if that file exists.
set -eu

key_file=$1
[ ! -s "$key_file" ] || exit 0

service() {
  node dist/main.js "$@"
}
# Prints the value that a command prints under a name.
value() {
  awk -v name="$1" '$1 == name { print $2 }'
}

app=$(service app create --name 'Demo Studio' | value id)
service tenant add --app "$app" --key demo
service return-url add --app "$app" --url "$CALLER_URL/connect/return"

for letter in a b c; do
  provider=PROVIDER_$(echo "$letter" | tr abc ABC)
  registration=$(echo "sandbox-secret-$letter" |
    service registration create --provider "$provider" --label "Sandbox $provider" --client-id "sandbox-client-$letter" |
    value id)
  service registration serve --registration "$registration" --app "$app"
  service policy set --app "$app" --provider "$provider" \
    --capability PROFILE --capability CONTENT_LIST --capability CONTENT_LOOKUP --capability CONTENT_METRICS
done

issuer=$(echo sandbox-idp-secret |
  service issuer create --issuer "$SANDBOX_URL/idp" --client-id sandbox-idp-client --auth CLIENT_SECRET_POST |
  value id)
service identity set --app "$app" --issuer "$issuer" --return-url "$CALLER_URL/sign-in/return"

service key issue --app "$app" | value secret >"$key_file.new"
mv "$key_file.new" "$key_file"

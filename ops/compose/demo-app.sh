#!/bin/sh
# Sets up the example application as an operator would, with the sandbox's well-known clients, and writes its key to the
# file $1. Does nothing if that file exists.
set -eu

key_file=$1
[ ! -s "$key_file" ] || exit 0

service() {
  node dist/main.js "$@"
}
# Runs a command. Prints the value that it prints under a name.
value() {
  name=$1
  shift
  printed=$(service "$@") # In a pipe, its failure would not end the script.
  echo "$printed" | awk -v name="$name" '$1 == name { print $2 }'
}

app=$(value id app create --name 'Demo Studio')
service tenant add --app "$app" --tenant demo
service return-url add --app "$app" --url "$CALLER_URL/connect/return"

for letter in a b c; do
  provider=PROVIDER_$(echo "$letter" | tr abc ABC)
  registration=$(echo "sandbox-secret-$letter" |
    value id registration create --provider "$provider" --label "Sandbox $provider" --client-id "sandbox-client-$letter")
  service registration serve --registration "$registration" --app "$app"
  service policy set --app "$app" --provider "$provider" \
    --capability PROFILE --capability CONTENT_LIST --capability CONTENT_LOOKUP --capability CONTENT_METRICS
done

issuer=$(echo sandbox-idp-secret |
  value id issuer create --issuer "$SANDBOX_URL/idp" --client-id sandbox-idp-client --auth CLIENT_SECRET_POST)
service identity set --app "$app" --issuer "$issuer" --return-url "$CALLER_URL/sign-in/return"

value secret key issue --app "$app" >"$key_file.new"
mv "$key_file.new" "$key_file"

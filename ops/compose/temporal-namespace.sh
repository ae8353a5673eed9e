#!/bin/sh
# Makes the namespace and the search attributes the service uses, where they are missing, once the server answers. The
# server's address and the namespace come from TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE.
set -eu

wait_for() {
  until "$@" >/dev/null 2>&1; do
    echo 'Waiting for Temporal…'
    sleep 1
  done
}

wait_for temporal operator cluster health
if ! temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1; then
  # The retention is how long a finished workflow can still be looked at.
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 14d
fi
# All of the server knows a new namespace only after some seconds.
wait_for temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE"

for name in AppId Provider ConnectionId JobKind; do
  temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" --name "$name" --type Keyword
done

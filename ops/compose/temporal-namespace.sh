#!/bin/sh
# Waits for the server, then creates the service's namespace and search attributes where they are missing. Reads the
# server's address from TEMPORAL_ADDRESS and the namespace from TEMPORAL_NAMESPACE.
set -eu

wait_for() {
  until "$@" >/dev/null 2>&1; do
    echo 'Waiting for Temporal…'
    sleep 1
  done
}

wait_for temporal operator cluster health
if ! temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1; then
  # The retention says how long the server keeps a finished workflow.
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 14d
fi
# The whole server knows a new namespace only after some seconds.
wait_for temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE"

for name in AppId Provider ConnectionId JobKind LastFailure; do
  temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" --name "$name" --type Keyword
done

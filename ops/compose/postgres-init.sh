#!/bin/sh
# Run once by the Postgres image, when its volume is empty: a role for the service with a database of its own, and a
# role for Temporal that may make its two. Must stay executable: the image would read any other into its own shell.
set -eu

psql --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 \
  --set service_password="$SERVICE_DB_PASSWORD" --set temporal_password="$TEMPORAL_DB_PASSWORD" <<'SQL'
create role accounts login password :'service_password';
create database accounts owner accounts;
create role temporal login createdb password :'temporal_password';
SQL

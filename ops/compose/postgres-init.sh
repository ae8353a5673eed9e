#!/bin/sh
# The Postgres image runs this once, when its volume is empty. Creates an owner for the service's database, a role for each
# process (ops/postgres/roles.sql grants their rights), and a role for Temporal that may create its two databases. Must stay
# executable: the image sources any other file into its own shell.
set -eu

psql --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 \
  --set service_password="$SERVICE_DB_PASSWORD" --set api_password="$API_DB_PASSWORD" \
  --set worker_password="$WORKER_DB_PASSWORD" --set maintenance_password="$MAINTENANCE_DB_PASSWORD" \
  --set temporal_password="$TEMPORAL_DB_PASSWORD" <<'SQL'
create role accounts login password :'service_password';
create database accounts owner accounts;
revoke all on database accounts from public;
create role accounts_api nologin;
create role accounts_worker nologin;
create role accounts_maintenance nologin;
create role accounts_readonly nologin;
create role api login password :'api_password' in role accounts_api;
create role worker login password :'worker_password' in role accounts_worker;
create role maintenance login password :'maintenance_password' in role accounts_maintenance;
create role temporal login createdb password :'temporal_password';
SQL

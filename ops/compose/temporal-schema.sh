#!/bin/sh
# Creates Temporal's databases where they are missing and updates their schemas. Safe to repeat. Reads host, user and
# password from SQL_HOST, SQL_USER and SQL_PASSWORD; port and databases from SQL_PORT, DBNAME and VISIBILITY_DBNAME if set.
set -eu

prepare() {
  tool="temporal-sql-tool --plugin postgres12 --port ${SQL_PORT:-5432} --database $1"
  $tool create-database
  $tool setup-schema --version 0.0
  $tool update-schema --schema-name "postgresql/v12/$2"
}

prepare "${DBNAME:-temporal}" temporal
prepare "${VISIBILITY_DBNAME:-temporal_visibility}" visibility

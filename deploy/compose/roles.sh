#!/bin/sh
# Run once by the image of PostgreSQL, when its volume is new: the role that the service connects as, which owns nothing.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$SERVICE_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role kestrel_service login password :'password';
SQL

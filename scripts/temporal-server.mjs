import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildGo } from './build-go.mjs';
import { ROOT } from './run.mjs';

const MODULE = 'go.temporal.io/server';

/** Builds Temporal's production server, of the version of docker-compose.yml, and the tool for its schema. */
export function buildTemporalServer(version, folder) {
  buildGo(`${MODULE}/cmd/server@v${version}`, path.join(folder, 'temporal-server'));
  buildGo(`${MODULE}/cmd/tools/sql@v${version}`, path.join(folder, 'temporal-sql-tool'));
}

/** Makes the tests of this process' children use that server, on Postgres, instead of the development server. */
export function useProductionTemporal() {
  const compose = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');
  const version = /image: temporalio\/server:([\d.]+)/.exec(compose)?.[1];
  const folder = path.join(ROOT, '.cache', `temporal-server-${version}`);
  buildTemporalServer(version, folder);
  process.env.TEMPORAL_PROGRAMS = folder;
}

// `npm run test:hosting`: the built service as self-hosters run it, with TLS, proxies, other administrators and other installations around
// it. `-- 16`: with this version of Postgres; a path or other arguments of vitest may follow. Tests whose program is missing are skipped by
// name. Needs Linux.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { installPostgres, POSTGRES } from './postgres-versions.mjs';
import { ROOT, run } from './run.mjs';

/** The programs, and the Debian packages that have them. */
const PROGRAMS = {
  openssl: 'openssl',
  psql: 'postgresql-client',
  pgbouncer: 'pgbouncer',
  nginx: 'nginx',
};

const PATH = `${process.env.PATH}:/usr/sbin`;
const exists = (program) => spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH } }).status === 0;
const missing = Object.keys(PROGRAMS).filter((program) => !exists(program));
for (const program of missing)
  console.warn(`Skips what needs ${program} (Debian, Ubuntu: "apt-get install ${PROGRAMS[program]}").`);

await import('./build.mjs');
const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const given = process.argv.slice(2);
const { version, locale = '' } = given[0] in POSTGRES ? POSTGRES[given.shift()] : {};
const [postgres = ''] = version === undefined ? [] : installPostgres([version]);
const args = ['run', '--config', 'test/suites.config.ts', '--project', 'hosting', ...given];
process.exitCode = await run(process.execPath, [vitest, ...args], {
  PATH,
  BUILT_FOR_TESTS: 'yes',
  POSTGRES_PACKAGE: postgres,
  POSTGRES_LOCALE: locale,
  HOSTING_PROGRAMS: Object.keys(PROGRAMS).filter(exists).join(' '),
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { buildDatabaseUrl, createPostgresService } from '../../local/src/postgres.ts';
import { OldServerError } from '../../src/basics/errors.ts';
import { refuseOldServer } from '../../src/store/migrate.ts';
import { PROGRAM } from '../kit/built.ts';
import { planCluster } from '../kit/cluster.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';

/** npm's package of Postgres 15. `npm run test:postgres` installs it. */
const TOO_OLD = process.env.POSTGRES_TOO_OLD;

test('Postgres 16 and newer are accepted, an older one is named', () => {
  for (const version of [160_000, 160_014, 180_004, 190_000]) refuseOldServer(version);
  expect(() => refuseOldServer(150_018)).toThrow(
    new OldServerError('This server is Postgres 15.18, and the service needs Postgres 16 or newer.'),
  );
});

test.runIf(TOO_OLD)('migrate refuses Postgres 15 with one sentence and exit code 1', async () => {
  const run = await openRunFolder();
  const options = { ...(await planCluster(run.folder, { durable: false })), package: TOO_OLD, locale: ['--locale=C'] };
  const postgres = new Part(await createPostgresService(options), run);
  onTestFinished(async () => {
    await postgres.stop();
    run.remove();
  });
  await postgres.start();
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: buildDatabaseUrl(options, 'postgres'),
    DEPLOYMENT: 'development',
  };
  await expect(promisify(execFile)(process.execPath, [PROGRAM, 'migrate'], { env })).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'This server is Postgres 15.18, and the service needs Postgres 16 or newer.\n',
  });
});

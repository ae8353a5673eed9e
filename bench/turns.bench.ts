import { takeTurn } from '../src/store/provider-rate-limit.ts';
import { test } from '../test/kit/postgres.ts';

/**
 * The riskiest assumption of docs/scale.md: all calls to a provider take their turns from one row. A trigger that sleeps when
 * the transaction commits stands for a disk that takes so long, since it holds the row as a commit does.
 */
const DISK_MS = [0, 1, 5];
const WORKERS = 50;
const TIME_MS = 3_000;

test('turns', async ({ database: { sql } }) => {
  await sql.unsafe(`
    create function sleep_at_commit() returns trigger language plpgsql as
      'begin perform pg_sleep(tg_argv[0]::float8 / 1000); return null; end'
  `);
  console.log(`\nTurns of one provider that ${WORKERS} concurrent calls take, per second`);
  for (const ms of DISK_MS) {
    await sql.unsafe('drop trigger if exists slow on provider_rate_limit');
    if (ms > 0)
      await sql.unsafe(`
        create constraint trigger slow after insert or update on provider_rate_limit deferrable initially deferred
          for each row execute function sleep_at_commit('${ms}')
      `);
    const until = performance.now() + TIME_MS;
    let taken = 0;
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        while (performance.now() < until) {
          await takeTurn(sql, 'PROVIDER_B', { callsPerSecond: 100_000, share: null, patienceSeconds: null });
          taken += 1;
        }
      }),
    );
    const name = ms === 0 ? 'commit without waiting for the disk, as it is' : `commit that waits ${ms} ms for the disk`;
    console.log(`  ${name.padEnd(50)}${((taken / TIME_MS) * 1000).toFixed(0).padStart(7)}`);
  }
});

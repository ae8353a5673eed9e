import { findFullReads, type Statement } from '../test/kit/plans.ts';
import { test } from '../test/kit/postgres.ts';
import { fillDatabase, measureSweeps } from './measured-sweeps.ts';

/** Filling a year of a million connections takes 15 minutes: `BENCH_SCALE=1 npm run bench -- --only sweeps`. */
const SCALE = Number(process.env.BENCH_SCALE ?? 0.02);
const HOUR_MS = 3_600_000;

const sum = (statements: readonly Statement[]) => statements.reduce((count, { runs }) => count + runs, 0);

test('sweeps', { timeout: HOUR_MS }, async ({ database }) => {
  const sizes = {
    connections: 1_000_000 * SCALE,
    posts: 10_000_000 * SCALE,
    jobs: 200_000 * SCALE,
    due: 100_000 * SCALE,
    seed: 1,
  };
  console.log(`\nFilling: ${JSON.stringify(sizes)}`);
  await fillDatabase(database.sql, sizes, (line) => console.log(`  ${line}`));
  console.log("\nEach sweep step until nothing is due, without Temporal's share");
  const steps = await measureSweeps(database, ({ step, rows, seconds, touched, statements }) => {
    if (rows === 0) return;
    const share = (touched / rows).toFixed(1).padStart(6);
    console.log(
      `  ${step.padEnd(24)} ${String(rows).padStart(8)} rows ${seconds.toFixed(1).padStart(8)} s   read for each row: ${share}   statements: ${sum(statements)}`,
    );
  });
  const all = steps.flatMap(({ statements }) => statements);
  for (const found of await findFullReads(database.sql, all, 5_000)) console.log(`  READ FROM END TO END: ${found}`);
});

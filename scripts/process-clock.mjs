// Checks that business time comes from the database. Only the places below may ask the clock of their own machine, which may be
// minutes off, and each only so often: a new use fails here. Time-outs and waits use `performance.now()`, which no clock moves.
// Part of `npm run check`. Usage: node scripts/process-clock.mjs [FOLDER]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));

const DEADLINE = 'a deadline of a request, which its client compares with the same clock';
const WORKFLOW = "a workflow's time, which is Temporal's: a timer only wakes, and SQL decides";

/** How often each file asks, and its reason. */
const ALLOWED = {
  'src/cli/commands/shows/format.ts': [1, 'shows how long ago an instant was'],
  'src/activities/reconcile-steps.ts': [1, DEADLINE],
  'src/outbox/entry-delivery.ts': [1, DEADLINE],
  'src/outbox/queue-owner.ts': [2, DEADLINE],
  'src/temporal/ask-workflow.ts': [3, DEADLINE],
  'src/temporal/start-workflow.ts': [1, DEADLINE],
  'src/temporal/worker-versions.ts': [4, DEADLINE],
  'src/temporal/workers-state.ts': [
    1,
    'only shows whether workers poll: on a machine that is minutes off, a false line, and no work depends on it',
  ],
  'src/worker/gauges.ts': [2, DEADLINE],
  'src/worker/presence.ts': [2, DEADLINE],
  'src/worker/schedules.ts': [1, DEADLINE],
  'src/workflows/connection-upkeep.ts': [1, WORKFLOW],
  'src/workflows/progress.ts': [1, WORKFLOW],
  'src/workflows/retry-until-deadline.ts': [2, WORKFLOW],
  'src/workflows/send-webhooks.ts': [1, WORKFLOW],
  'src/workflows/sweep.ts': [3, WORKFLOW],
  'src/workflows/verify-grant.ts': [2, WORKFLOW],
  'src/identity/issuer-keys.ts': [2, "the age of the library's own cache, by the clock with which it dates that"],
  'src/identity/sign-in.ts': [1, 'tells the library how far the clock that it reads is off'],
  'src/journal/directory.ts': [1, "the age of a file, by the clock of its machine's file system"],
  'src/telemetry/instruments.ts': [2, "an instant that Prometheus compares with a machine's clock"],
  'src/worker/repair-failovers.ts': [1, "how far to look back in Temporal's list: an hour, where seconds are meant"],
  'src/vault/create-keys.ts': [1, 'a date in the name of a key, for people'],
  'src/cli/try-provider/main.ts': [2, 'a trial without a database'],
};

const ASKS = /\bDate\.now\b|\bnew Date\(\s*\)|(?<!new )\bDate\(\)|\btimeOrigin\b/g;
const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

const found = new Map();
for (const inside of readdirSync(path.join(FOLDER, 'src'), { recursive: true })) {
  const file = path.posix.join('src', ...inside.split(path.sep));
  if (!/\.tsx?$/.test(file)) continue;
  const code = readFileSync(path.join(FOLDER, file), 'utf8').replace(COMMENTS, '');
  const count = code.match(ASKS)?.length ?? 0;
  if (count > 0) found.set(file, count);
}

const problems = [];
for (const [file, count] of found) {
  const [most] = ALLOWED[file] ?? [0];
  if (count > most)
    problems.push(`${file} asks the clock of its machine ${count} times, at most ${most}: use business_now() in SQL`);
}
for (const [file, [count]] of Object.entries(ALLOWED)) {
  const now = found.get(file) ?? 0;
  if (now < count && existsSync(path.join(FOLDER, file)))
    problems.push(`${file} asks the clock of its machine ${now} times: scripts/process-clock.mjs allows ${count}`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

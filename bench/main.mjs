// `npm run bench`: compares the service with baselines in alternation within one run, so that a noisy machine affects all
// of them equally. `npm run bench -- --help` lists the benchmarks.
//
// bench/compare-reads.mjs loads the built api over HTTP, and bench/compare-growth.mjs does so on databases of growing size.
// bench/compare-processes.mjs compares start and memory. NAME.bench.ts times whole services, set up as in tests.
// NAME.costs.mjs compares processor time; it exports
//   title     the operation to compare
//   variants  by name: a function that prepares and returns { once, close? }; the first variant is the baseline
// Each variant runs in several processes, because compilation varies between processes. All processes take turns.
import '../scripts/codegen.mjs';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT, run } from '../scripts/run.mjs';
import { useProductionTemporal } from '../scripts/temporal-server.mjs';

const BENCH = path.join(ROOT, 'bench');
const PROCESSES = 3;
const ROUNDS = 24;
const ROUND_MS = 100;

/** The tests of `bench/flows.bench.ts`. */
const FLOWS = ['connect', 'scan', 'metrics', 'disconnect', 'retries', 'accepts', 'fairness'];

const nameOf = (file) => file.slice(0, file.indexOf('.'));
const load = (name) => import(pathToFileURL(path.join(BENCH, `${name}.costs.mjs`)).href);
/** Other load only ever makes a round slower, so the fastest tenth of the rounds is the most reliable. */
const undisturbed = (rounds) => [...rounds].sort((a, b) => a - b)[Math.floor(rounds.length / 10)];

const usage = (names) => `npm run bench -- [--only NAME[,NAME]] [--quick | --full] [--profile FOLDER]
                 [--production-temporal]
       npm run bench -- --guard [--base REF] [--only CASE[,CASE]]

Benchmarks: ${names.join(', ')}. The default is all. Read benchmarks generate rows and keep them in .cache/bench: a million
posts, 100,000 with --quick, ten million with --full. Growth fills two or three databases of growing size, the largest as large.
--profile writes the api's CPU profile to FOLDER. --production-temporal uses Temporal's production server on Postgres for the jobs.
Reads, growth and processes need Linux. --guard compares with the version before, and fails if a case needs more processor time.`;

/** Runs in a child process. Answers each message with the processor time of one operation, in microseconds. */
async function serve(name, variant) {
  const { variants } = await load(name);
  const { once: work, close } = await variants[variant]();
  process.on('message', async (message) => {
    if (message === 'end') {
      await close?.();
      process.exit(0);
    }
    let count = 0;
    const startedAt = performance.now();
    const before = process.cpuUsage();
    do {
      for (let i = 0; i < 20; i += 1) await work();
      count += 20;
    } while (performance.now() - startedAt < ROUND_MS);
    const { user, system } = process.cpuUsage(before);
    process.send((user + system) / count);
  });
  process.send('ready');
}

async function answerOf(child) {
  const done = new AbortController();
  const ended = once(child, 'exit', { signal: done.signal }).then(() => {
    throw new Error('A variant ended too early.');
  });
  const [answer] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined); // No code waits for it now.
  done.abort();
  return answer;
}

async function startProcess(name, variant) {
  const child = fork(import.meta.filename, ['--variant', name, variant], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await answerOf(child);
  return child;
}

async function compare(name) {
  const { title, variants } = await load(name);
  const results = Object.keys(variants).map((variant) => ({ variant, rounds: [] }));
  for (let process = 0; process < PROCESSES; process += 1) {
    const children = await Promise.all(results.map(({ variant }) => startProcess(name, variant)));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let turn = 0; turn < children.length; turn += 1) {
        const index = (turn + round) % children.length; // Rotates the order, so that no variant always follows the same one.
        children[index].send('round');
        const micros = await answerOf(children[index]);
        if (round >= ROUNDS / 2) results[index].rounds.push(micros); // Earlier rounds are warm-up.
      }
    }
    for (const child of children) child.send('end');
  }
  const first = undisturbed(results[0].rounds);
  console.log(`\n${title}`);
  for (const { variant, rounds } of results) {
    const micros = undisturbed(rounds);
    console.log(`  ${variant.padEnd(28)} ${micros.toFixed(0).padStart(9)} µs   × ${(micros / first).toFixed(2)}`);
  }
}

const [flag, ...args] = process.argv.slice(2);
if (flag === '--variant') await serve(...args);
else await main(process.argv.slice(2));

async function main(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean' },
      full: { type: 'boolean' },
      profile: { type: 'string' },
      'production-temporal': { type: 'boolean' },
      guard: { type: 'boolean' },
      base: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  await import('../scripts/build.mjs');
  const { compareReads, names: reads } = await import('./compare-reads.mjs');
  const { compareGrowth } = await import('./compare-growth.mjs');
  const { compareProcesses } = await import('./compare-processes.mjs');
  const files = readdirSync(BENCH).filter((file) => /\.(costs\.mjs|bench\.ts)$/.test(file));
  const known = [...reads, 'growth', 'processes', ...files.map(nameOf), ...FLOWS];
  if (values.help) return console.log(usage(known));
  const only = values.only?.flatMap((names) => names.split(','));
  if (values.guard) {
    const { guard } = await import('./guard/main.mjs');
    return await guard({ base: values.base, only });
  }
  const unknown = only?.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    console.error(`There is no benchmark ${unknown}. Choose from ${known.join(', ')}.`);
    process.exitCode = 1;
    return;
  }
  const isChosen = (name) => only?.includes(name) ?? true;
  const size = values.quick ? 'quick' : values.full ? 'full' : 'usual';
  if (reads.some(isChosen)) await compareReads({ only, size, profile: values.profile });
  if (isChosen('growth')) await compareGrowth({ size });
  if (isChosen('processes')) await compareProcesses({ size });
  const flows = FLOWS.filter((name) => only?.includes(name));
  const chosen = files.filter((file) => isChosen(nameOf(file)) || (nameOf(file) === 'flows' && flows.length > 0));
  for (const file of chosen.filter((one) => one.endsWith('.mjs'))) await compare(nameOf(file));
  const services = chosen.filter((one) => one.endsWith('.ts'));
  const others = services.filter((file) => nameOf(file) !== 'flows');
  process.env.BENCH_SIZE = size;
  if (values['production-temporal']) useProductionTemporal();
  if (others.length > 0) await runServices(others);
  if (services.length > others.length)
    await runServices(['flows.bench.ts'], isChosen('flows') ? [] : ['-t', `^(${flows.join('|')})$`]);
}

async function runServices(files, args = []) {
  const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const config = path.join('bench', 'vitest.config.ts');
  const code = await run(process.execPath, [
    vitest,
    ...['run', '--config', config, '--reporter=dot', ...args],
    ...files.map((file) => path.join('bench', file)),
  ]);
  process.exitCode ||= code;
}

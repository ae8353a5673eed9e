// `npm run bench`: compares the service with baselines in alternation within one run, so that a noisy machine affects all
// of them equally. `npm run bench -- --help` lists the benchmarks.
//
// bench/compare-reads.mjs loads the built api over HTTP, and bench/compare-growth.mjs does so on databases of growing size.
// bench/compare-processes.mjs compares start and memory. NAME.bench.ts times whole services, set up as in tests.
import '../scripts/codegen.mjs';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, run } from '../scripts/run.mjs';
import { useProductionTemporal } from '../scripts/temporal-server.mjs';

const BENCH = path.join(ROOT, 'bench');

/** The tests of `bench/flows.bench.ts`. */
const FLOWS = ['connect', 'scan', 'metrics', 'disconnect', 'retries', 'accepts', 'fairness'];

const nameOf = (file) => file.slice(0, file.indexOf('.'));

const usage = (names) => `npm run bench -- [--only NAME[,NAME]] [--quick | --full] [--profile FOLDER]
                 [--production-temporal]
       npm run bench -- --guard [--base REF] [--only CASE[,CASE]]

Benchmarks: ${names.join(', ')}. The default is all. Read benchmarks generate rows and keep them in .cache/bench: a million
posts, 100,000 with --quick, ten million with --full. Growth fills two or three databases of growing size, the largest as large.
--profile writes the api's CPU profile to FOLDER. --production-temporal uses Temporal's production server on Postgres for the jobs.
Reads, growth and processes need Linux. --guard compares with the version before, and fails if a case needs more processor time.`;

await main(process.argv.slice(2));

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
  const files = readdirSync(BENCH).filter((file) => file.endsWith('.bench.ts'));
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
  const others = chosen.filter((file) => nameOf(file) !== 'flows');
  process.env.BENCH_SIZE = size;
  if (values['production-temporal']) useProductionTemporal();
  if (others.length > 0) await runServices(others);
  if (chosen.length > others.length)
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

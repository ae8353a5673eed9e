// `npm run bench`: how variants of the same work compare, side by side in one run, so that a noisy machine is noisy for all of
// them. What follows `--` names the files of bench/ to run, all by default.
//
// NAME.bench.ts times whole services, made as tests make them. NAME.mjs compares processor time; it exports
//   title     what is done once
//   variants  by name: a function that makes ready and returns { once, close? }; the first is what others are compared to
// Each of these variants has a few processes of its own, since one compiles to faster code than another; all take turns.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, run } from './run.mjs';

const BENCH = path.join(ROOT, 'bench');
const PROCESSES = 3;
const ROUNDS = 24;
const ROUND_MS = 100;

const nameOf = (file) => file.slice(0, file.indexOf('.'));
const load = (name) => import(pathToFileURL(path.join(BENCH, `${name}.mjs`)).href);
/** What else goes on only ever makes a round dearer: the best tenth of them says most. */
const undisturbed = (rounds) => [...rounds].sort((a, b) => a - b)[Math.floor(rounds.length / 10)];

/** In a process of its own: answers each message with the microseconds of processor time that doing it once took. */
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
    throw new Error('A variant ended before its time.');
  });
  const [answer] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined); // Nobody waits for it any more.
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
        const index = (turn + round) % children.length; // Nobody always comes after the same one.
        children[index].send('round');
        const micros = await answerOf(children[index]);
        if (round >= ROUNDS / 2) results[index].rounds.push(micros); // Before that it is being compiled.
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
else {
  await import('./build.mjs');
  const files = readdirSync(BENCH).filter((file) => /\.(mjs|bench\.ts)$/.test(file));
  const named = flag === undefined ? undefined : [flag, ...args];
  const unknown = named?.find((name) => !files.some((file) => nameOf(file) === name));
  if (unknown !== undefined) {
    console.error(`There is no ${unknown} in bench/, only ${files.map(nameOf).join(', ')}.`);
    process.exit(1);
  }
  const chosen = files.filter((file) => named?.includes(nameOf(file)) ?? true);
  for (const file of chosen.filter((one) => one.endsWith('.mjs'))) await compare(nameOf(file));
  const services = chosen.filter((one) => one.endsWith('.ts')).map((file) => path.join('bench', file));
  if (services.length > 0) {
    const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
    const config = path.join('bench', 'vitest.config.ts');
    process.exitCode = await run(process.execPath, [vitest, 'run', '--config', config, '--reporter=dot', ...services]);
  }
}

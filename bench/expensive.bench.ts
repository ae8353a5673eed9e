import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listExpensiveRequests } from './expensive-requests.ts';
import { type ExpensiveStage, openExpensiveStage, type Reply } from './expensive-stage.ts';
import { describeMachine, quantile } from './measure.mjs';

const AIM_MS = 25;
const SIZES = {
  quick: { times: 10, seconds: 3 },
  usual: { times: 40, seconds: 8 },
  full: { times: 150, seconds: 20 },
} as const;
const { times, seconds } = SIZES[(process.env.BENCH_SIZE ?? 'usual') as keyof typeof SIZES];
const PER_SECOND = 100;
const WORST = 6;
const SETTLE_MS = 3_000;
/** The neighbour is measured quiet and busy in so many parts. */
const PARTS = 4;

let stage: ExpensiveStage;
beforeAll(async () => {
  stage = await openExpensiveStage();
});
afterAll(() => stage.stop());

const costs: { name: string; ms: number; bytes: number; status: number; first: string }[] = [];

test('the processor time of each expensive request', async () => {
  for (const { name, make } of listExpensiveRequests(stage.sender)) {
    for (let turn = 0; turn < 4; turn += 1) await stage.send(make(turn)); // Known documents are compiled by then.
    const before = stage.cpuMs();
    let last: Reply = { status: 0, body: '', isCutOff: false };
    for (let turn = 0; turn < times; turn += 1) last = await stage.send(make(turn + 4));
    await delay(20);
    const ms = (stage.cpuMs() - before) / times;
    costs.push({
      name,
      ms,
      bytes: last.body.length,
      status: last.status,
      first: /"message":"(.{0,60})/.exec(last.body)?.[1] ?? '',
    });
  }
  costs.sort((a, b) => b.ms - a.ms);
  console.log(`\nProcessor time of the api for a request, in ms (aim: ${AIM_MS})`);
  for (const { name, ms, bytes, status, first } of costs) {
    console.log(
      `  ${ms.toFixed(1).padStart(6)} ${String(status).padStart(4)} ${String(bytes).padStart(8)} B  ${name.padEnd(56)} ${first}`,
    );
  }
  console.log(JSON.stringify(describeMachine()));
});

const latencies = async (forMs: number) => {
  const values: number[] = [];
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const sentAt = performance.now();
    await stage.neighbour.ask('connections', {});
    values.push(performance.now() - sentAt);
    await delay(5);
  }
  return values;
};

/** Sends a request again and again, until it is stopped. */
function flood(make: (turn: number) => Parameters<ExpensiveStage['send']>[0], firstTurn: number) {
  const sent: Promise<{ status: number; body: string }>[] = [];
  const timer = setInterval(() => void sent.push(stage.send(make(firstTurn + sent.length))), 1_000 / PER_SECOND);
  return {
    stop: async () => {
      clearInterval(timer);
      return await Promise.all(sent);
    },
  };
}

test(`another app's reads while one app sends ${PER_SECOND} a second of the ${WORST} most expensive ones`, async () => {
  await latencies(2_000);
  const requests = listExpensiveRequests(stage.sender);
  const own = costs.filter(({ name }) => /^(document|variables|headers)/.test(name)).slice(0, WORST);
  for (const { name, ms } of own) {
    const make = requests.find((one) => one.name === name)?.make;
    if (make === undefined) throw new Error(`There is no request ${name}.`);
    const [quiet, busy]: [number[], number[]] = [[], []];
    const shares: number[] = [];
    let [count, limited] = [0, 0];
    // In turns, so that other load on the machine affects both alike.
    for (let part = 0; part < PARTS; part += 1) {
      quiet.push(...(await latencies((seconds * 1_000) / PARTS)));
      const flooding = flood(make, 1_000 * (part + 1));
      await delay(SETTLE_MS); // The burst of an app is used up then.
      const [before, beganAtMs] = [stage.cpuMs(), performance.now()];
      busy.push(...(await latencies((seconds * 1_000) / PARTS)));
      shares.push((stage.cpuMs() - before) / (performance.now() - beganAtMs));
      const replies = await flooding.stop();
      count += replies.length;
      limited += replies.filter(({ body }) => body.includes('RATE_LIMITED')).length;
    }
    const [p99, quietP99] = [quantile(busy, 0.99), quantile(quiet, 0.99)];
    const figures = [
      `${ms.toFixed(1)} ms each`,
      `${((limited / count) * 100).toFixed(0)} % refused`,
      `${((shares.reduce((sum, share) => sum + share, 0) / PARTS) * 100).toFixed(0)} % of a core`,
      `median ${quantile(quiet, 0.5).toFixed(1)} -> ${quantile(busy, 0.5).toFixed(1)} ms`,
      `p99 ${quietP99.toFixed(0)} -> ${p99.toFixed(0)} ms (× ${(p99 / quietP99).toFixed(1)})`,
    ];
    console.log(`  ${name.padEnd(52)} ${figures.join('; ')}`);
  }
  expect(own.length).toBeGreaterThan(0);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listExpensiveRequests } from '../../bench/expensive-requests.ts';
import { type ExpensiveStage, openExpensiveStage } from '../../bench/expensive-stage.ts';

/** The most that a refusal may cost: more would make an attack cheaper than its answer. */
const MOST_BYTES = 8 * 1024;
/** `npm run bench -- --only expensive` aims at 25 ms. A slower machine passes too; seconds do not. */
const MOST_MS = 150;
const TIMES = 4;

let stage: ExpensiveStage;
beforeAll(async () => {
  stage = await openExpensiveStage();
});
afterAll(() => stage.stop());

describe('the most expensive request within each bound', () => {
  test('is answered, or refused in at most 8 KB, and keeps the api busy for no longer than others notice', async () => {
    const faults: string[] = [];
    for (const { name, make } of listExpensiveRequests(stage.sender)) {
      const before = stage.cpuMs();
      for (let turn = 0; turn < TIMES; turn += 1) {
        const { status, body, isCutOff } = await stage.send(make(turn));
        const isRefused = status >= 400 || /^{"errors"/.test(body);
        if ((status === 0 && !isCutOff) || status >= 500) faults.push(`${name}: ${status} ${body.slice(0, 200)}`);
        if (isRefused && Buffer.byteLength(body) > MOST_BYTES) faults.push(`${name}: ${body.length} bytes`);
      }
      const ms = (stage.cpuMs() - before) / TIMES;
      if (ms > MOST_MS) faults.push(`${name}: ${ms} ms of processor time`);
    }
    expect(faults).toEqual([]);
  });
});

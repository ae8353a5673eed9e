import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import { PROVIDER_ERROR_TYPES } from '../../src/basics/failures.ts';
import type { ConnectionId } from '../../src/basics/ids.ts';
import type { Http } from '../../src/providers/http.ts';
import { failureOf } from '../kit/activity-stage.ts';
import { DAY_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { open, plainAccount, test } from './wire-stage.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
interface Odd {
  /** The index of a node of the answer, modulo the number of nodes. */
  readonly at: number;
  readonly value: Json;
}

const RUNS = 100;
/** Written as a bare number into an answer's text; JSON.stringify cannot produce such a number. */
const HUGE = '@@400 digits@@';
const nested = (levels: number): Json => (levels === 0 ? 'deep' : [nested(levels - 1)]);

/** Values that no platform sends, or only once. */
const ODD_VALUES: readonly Json[] = [
  'nul \u0000 in it',
  '\u0000',
  'half a pair \ud83d',
  '\ude00 the other half',
  'long '.repeat(4_000),
  'x'.repeat(3_000),
  'line\nbreak\r\nand tab\t',
  '',
  ' ',
  '../../etc',
  'constructor',
  '__proto__',
  'javascript:alert(1)',
  'http://plain.example/picture.jpg',
  `https://long.example/${'a'.repeat(10_000)}`,
  'https://user:secret@example.com/',
  '+200000-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-14:00',
  '12',
  '-3',
  '9223372036854775808',
  '9'.repeat(60),
  HUGE,
  -1,
  0,
  1.5,
  1e21,
  9_223_372_036_854_776_000,
  253_402_300_800,
  true,
  false,
  null,
  [],
  {},
  ['a'],
  { a: 'b' },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as Json,
  nested(200),
  Array.from({ length: 3_000 }, (_, index) => index),
];

/** The same answer with some odd values, or with a repeated list. */
function alter(good: Json, changes: readonly Odd[]): Json {
  let altered = structuredClone(good);
  for (const { at: wanted, value } of changes) {
    const places: ((next: Json) => void)[] = [
      (next) => {
        altered = next;
      },
    ];
    const walk = (node: Json): void => {
      if (Array.isArray(node)) {
        places.push(() => void node.push(...structuredClone(node)));
        for (const [index, inner] of node.entries()) {
          places.push((next) => void node.splice(index, 1, next));
          walk(inner);
        }
      } else if (node !== null && typeof node === 'object') {
        for (const [key, inner] of Object.entries(node)) {
          places.push((next) => {
            node[key] = next;
          });
          walk(inner);
        }
      }
    };
    walk(altered);
    // Replacing the whole answer is seldom useful: the first node is chosen only for a round number.
    places[wanted % 40 === 0 ? 0 : 1 + (wanted % Math.max(1, places.length - 1))]?.(structuredClone(value));
  }
  return altered;
}
const inText = (json: Json) => JSON.stringify(json).replaceAll(`"${HUGE}"`, '9'.repeat(400));

const odd: fc.Arbitrary<Odd> = fc.record({
  at: fc.nat({ max: 400 }),
  value: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ODD_VALUES) }, fc.jsonValue() as fc.Arbitrary<Json>),
});
const oddities = fc.array(odd, { minLength: 1, maxLength: 3 });

/** The answers of the sandbox, of which one in three is altered, a different one each time. */
function openOddHttp(http: Http) {
  let changes: readonly Odd[] = [];
  let requests = 0;
  const request: Http['request'] = async (asked) => {
    const answer = await http.request(asked);
    const [first] = changes;
    requests += 1;
    if (first === undefined || (requests + first.at) % 3 !== 0) return answer;
    return { ...answer, text: inText(alter(JSON.parse(answer.text), changes)) };
  };
  return {
    http: { ...http, request },
    /** From now on, until the next call. */
    alterBy: (next: readonly Odd[]) => {
      changes = next;
      requests = 0;
    },
  };
}

async function scan(
  { stage }: Awaited<ReturnType<typeof open>>,
  connectionId: ConnectionId,
  provider: ProviderName,
): Promise<void> {
  const { sql } = stage;
  await sql`delete from content_item where connection_id = ${connectionId}`;
  await sql`delete from read_job where connection_id = ${connectionId}`;
  const window = { publishedAfter: new Date(Date.now() - 80 * DAY_MS), publishedBefore: new Date() };
  const { jobId } = await stage.newScan(connectionId, { window, maxItems: 3 });
  await sql`update read_job set provider = ${provider} where job_id = ${jobId}`;
  for (let steps = 0; steps < 50; steps += 1) {
    if ((await runActivity(stage.activities.runScanStep, { jobId })).done) return;
  }
  expect.fail('The scan does not come to an end.');
}

/** @returns whether `work` succeeded; checks that a failure has a type that the workflows know. */
async function inKnownWays(work: Promise<unknown>): Promise<boolean> {
  const settled = await Promise.allSettled([work]);
  if (settled[0].status === 'fulfilled') return true;
  const { type } = await failureOf(work);
  expect(PROVIDER_ERROR_TYPES).toContain(type);
  return false;
}

for (const provider of PROVIDER_NAMES) {
  describe(provider, () => {
    test('a scan stores its page or fails with a known type for any answer', async ({ sql, sandbox, http }) => {
      const odd = openOddHttp(http);
      const wire = await open(sql, sandbox, odd.http);
      const { connectionId } = await wire.connect(provider, plainAccount(sandbox, provider));
      let stored = 0;
      await fc.assert(
        fc.asyncProperty(oddities, async (changes) => {
          odd.alterBy(changes);
          if (!(await inKnownWays(scan(wire, connectionId, provider)))) return;
          const rows = await sql`select * from content_item where connection_id = ${connectionId}`;
          stored += rows.length;
          for (const row of rows) expectBounded(row);
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
      expect(stored).toBeGreaterThan(RUNS / 30);
    });

    test('exchange and account read give a grant or a known failure for any answer', async ({ sql, sandbox, http }) => {
      const odd = openOddHttp(http);
      const { stage, agree } = await open(sql, sandbox, odd.http);
      let stored = 0;
      await fc.assert(
        fc.asyncProperty(oddities, async (changes) => {
          const { attemptId } = await agree(provider, plainAccount(sandbox, provider));
          odd.alterBy(changes);
          if (!(await inKnownWays(runActivity(stage.activities.exchangeCode, { attemptId })))) return;
          if (!(await inKnownWays(runActivity(stage.activities.readAccount, { attemptId })))) return;
          const [grant] = await sql`select provider_account_id from account_grant where attempt_id = ${attemptId}`;
          expect(grant?.providerAccountId).toMatch(/^[\x21-\x7e]{1,255}$/);
          stored += 1;
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
      expect(stored).toBeGreaterThan(RUNS / 30);
    });
  });
}

function expectBounded(row: Readonly<Record<string, unknown>>): void {
  const { providerContentId, canonicalUrl, details, publishedAt, metrics } = row;
  const { thumbnailUrl = null, ...texts } = details as Record<string, unknown>;
  expect(providerContentId).toMatch(/^[\x21-\x7e]{1,255}$/);
  for (const text of Object.values(texts)) {
    expect(typeof text === 'string' && text.length <= 10_000 && text.isWellFormed()).toBe(true);
  }
  for (const url of [canonicalUrl, thumbnailUrl].filter((one) => one !== null)) {
    expect(url).toMatch(/^https?:\/\/[^/@]+\//); // The sandbox may use plain http.
    expect(String(url).length).toBeLessThanOrEqual(4_096);
  }
  expect(publishedAt instanceof Date && publishedAt.getUTCFullYear() <= 9_999).toBe(true);
  for (const { value } of metrics as { value: string | null }[]) {
    if (value !== null)
      expect(BigInt(value) >= 0n && BigInt(value) < 10n ** 30n && /^(0|[1-9]\d*)$/.test(value)).toBe(true);
  }
}

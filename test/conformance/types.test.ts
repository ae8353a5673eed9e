import { buildSchema } from 'graphql';
import { describe, expect } from 'vitest';
import { conformanceTest, NOW } from '../kit/conformance.ts';
import { freezeClock, seedConnection, seedContent } from '../kit/seed.ts';
import { ENUMS, INPUTS, OBJECTS, signatureOf } from './contract-types.ts';

const test = conformanceTest();
const DAY_WINDOW = { publishedAfter: '2030-05-31T00:00:00.000Z', publishedBefore: '2030-06-01T00:00:00.000Z' };

describe('the served schema', () => {
  const served = async (url: string, name: string) => {
    const text = await (await fetch(`${url}/schema.graphql`)).text();
    return signatureOf(buildSchema(text).getType(name));
  };
  const typesOf2 = Object.entries({ ...ENUMS, ...INPUTS, ...OBJECTS }).filter(([name]) => !/Query|Mutation/.test(name));

  test.for(typesOf2)('2 %s: is exactly as promised', async ([name, promised], { api }) => {
    expect(await served(api.url, name)).toBe(promised);
  });

  test.for(['Query', 'Mutation'] as const)('4 %s: is exactly as promised', async (name, { api }) => {
    expect(await served(api.url, name)).toBe(OBJECTS[name]);
  });
});

describe('scalars', () => {
  const GOOD = [
    ['2030-05-31T12:00:00.000Z', '2030-05-31T12:00:00.000Z'],
    ['2030-05-31T12:00:00Z', '2030-05-31T12:00:00.000Z'],
    ['2030-05-31T14:30:00+02:30', '2030-05-31T12:00:00.000Z'],
    ['2030-05-31T12:00:00.123456789Z', '2030-05-31T12:00:00.123Z'],
    ['2030-05-31T12:00Z', '2030-05-31T12:00:00.000Z'],
    ['2030-05-31T14:00+02', '2030-05-31T12:00:00.000Z'],
  ] as const;
  const BAD = [
    '2030-05-31T12:00:00',
    '2030-05-31',
    '2030-05-31 12:00:00Z',
    '2030-05-31T12:00:00.1234567890Z',
    '2030-05-31T24:00:00Z',
    '2030-05-31T12:00:60Z',
    '2030-02-29T12:00:00Z',
    '2030-13-01T12:00:00Z',
    '2030-05-31T12:00:00+24:00',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '10000-01-01T00:00:00Z',
    'now',
    '',
    1_900_000_000_000,
    null,
    {},
  ];

  test('2 DateTime: input accepts every form of an instant, and nothing else', async ({ client, sql }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    for (const [given, meant] of GOOD) {
      const window = { publishedAfter: '2030-05-01T00:00:00Z', publishedBefore: given };
      const { id } = await client.ask('requestRefresh', { connectionId, window });
      const [row] =
        await sql`update read_job set status = 'CANCELED', finished_at = business_now() where job_id = ${id} returning published_before`;
      expect(row?.publishedBefore, given).toEqual(new Date(meant));
    }
    for (const given of BAD) {
      const window = { ...DAY_WINDOW, publishedAfter: given, first: 1 };
      expect(await client.outcome('content', { connectionId, window }), String(given)).toBe('BAD_USER_INPUT');
    }
  });

  test('2 DateTime: output is UTC with milliseconds, also for a whole second', async ({ client, sql }) => {
    await freezeClock(sql, new Date(NOW));
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const { profile } = await client.ask('connection', { id: connectionId });
    expect(profile.observedAt).toBe('2030-06-01T00:00:00.000Z');
  });

  test('2 DecimalCount + 2 field rule 10: counts keep every digit, and a missing one is null', async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    const counts = ['0', '9007199254740993', '18446744073709551615', '18446744073709551616', '9'.repeat(60), null];
    const metrics = counts.map((value) => ({
      name: 'VIEWS',
      value,
      availability: value === null ? 'UNAVAILABLE' : 'AVAILABLE',
      reason: value === null ? 'NOT_GIVEN' : null,
      sourceField: 'view_count',
    }));
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    await seedContent(sql, connectionId, { publishedAt: new Date(NOW - 1), metrics });
    const { items } = await client.ask('content', { connectionId, window: { ...DAY_WINDOW, first: 1 } });
    expect(items[0].metrics.map((metric: { value: string | null }) => metric.value)).toEqual(counts);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type Caller, conformanceTest, HOUR, hex, NOW } from '../kit/conformance.ts';
import { DOCUMENTS, type RootField } from '../kit/graphql.ts';
import { freezeClock, issueKey, revokeKey, setEnabled } from '../kit/seed.ts';

const test = conformanceTest();
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FIELDS = Object.keys(DOCUMENTS) as RootField[];
const GUARDED = FIELDS.filter((field) => field !== 'status');

/** Variables for every document, with ids that do not exist. */
const argumentsFor = ({ scope, seeded }: Caller) => {
  const window = { publishedAfter: '2030-01-01T00:00:00Z', publishedBefore: '2030-01-02T00:00:00Z', first: 1 };
  return {
    connect: { scope, provider: 'PROVIDER_A', capabilities: ['PROFILE'], returnUrl: seeded.returnUrl },
    identity: { tenantKey: scope.tenantKey, returnUrl: seeded.identityReturnUrl },
    others: {
      scope,
      tenantKey: scope.tenantKey,
      id: randomUUID(),
      connectionId: randomUUID(),
      providerContentId: 'x',
      resultProof: hex(64),
      url: 'https://www.tiktok.com/x',
      window,
    },
  };
};
const variablesOf = (field: RootField, client: Caller): object => {
  const { connect, identity, others } = argumentsFor(client);
  if (field === 'createConnectSession') return { input: connect };
  if (field === 'createIdpIdentitySession') return { input: identity };
  if (field === 'requestRefresh') return { scope: others.scope, connectionId: others.connectionId };
  return others;
};

/** The error codes of an answer. */
async function codes(client: Caller, field: RootField, authorization: string): Promise<string[]> {
  const { body } = await client.send(DOCUMENTS[field], variablesOf(field, client), { authorization });
  return (body.errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code);
}

const outcomeWith = async (client: Caller, authorization: string) =>
  (await codes(client, 'integrationReadiness', authorization))[0] ?? 'answered';

const addKey = async (client: Caller, sql: Parameters<typeof freezeClock>[0], expiresAt: Date | null = null) => {
  const { keyId, key } = await issueKey(sql, client.seeded.app.appId, expiresAt);
  return { keyId, authorization: `Bearer ${key}` };
};

describe('keys', () => {
  test('5 authentication 1 + 4 integrationReadiness: every operation except status needs a key', async ({ client }) => {
    expect(await codes(client, 'status', '')).toEqual([]);
    for (const field of GUARDED) expect(await codes(client, field, ''), field).toEqual(['UNAUTHENTICATED']);
    for (const field of GUARDED) {
      expect(await codes(client, field, `Bearer ${client.seeded.key}`), field).not.toContain('UNAUTHENTICATED');
    }
  });

  test('5 authentication 2: exactly Bearer, one space, UUID, dot, 64 hexadecimal digits', async ({ client }) => {
    const [id = '', secret = ''] = client.seeded.key.split('.');
    expect(await outcomeWith(client, `Bearer ${id}.${secret}`)).toBe('answered');
    const wrong = [
      `bearer ${id}.${secret}`,
      `BEARER ${id}.${secret}`,
      `Bearer  ${id}.${secret}`,
      `Bearer\t${id}.${secret}`,
      `Basic ${id}.${secret}`,
      `${id}.${secret}`,
      `Bearer ${id}${secret}`,
      `Bearer ${id}:${secret}`,
      `Bearer ${id}.${secret}0`,
      `Bearer ${id}.${secret.slice(1)}`,
      `Bearer ${id}.${secret.slice(1)}g`,
      `Bearer ${id.replaceAll('-', '')}.${secret}`,
      `Bearer {${id}}.${secret}`,
      `Bearer ${id}.${secret}, Bearer ${id}.${secret}`,
      `Bearer ${id}.${secret}.x`,
      'Bearer',
      'Bearer .',
    ];
    for (const authorization of wrong)
      expect(await outcomeWith(client, authorization), authorization).toBe('UNAUTHENTICATED');
  });

  test('5 authentication 4 + D tenant not registered: FORBIDDEN, or NOT_FOUND by operation', async ({ client }) => {
    const tenantKey = 'nobody-registered-this';
    const stranger = client.for({ tenantKey });
    const authorization = `Bearer ${client.seeded.key}`;
    for (const field of GUARDED.filter((one) => one !== 'integrationReadiness')) {
      const code = ['syncJob', 'redeemIdpIdentityResult'].includes(field) ? 'NOT_FOUND' : 'FORBIDDEN';
      expect(await codes(stranger, field, authorization), field).toEqual([code]);
    }
  });

  test('5 authentication 5: a key ends at its expiry to the millisecond, or when revoked', async ({ client, sql }) => {
    await freezeClock(sql, new Date(NOW));
    const passing = await addKey(client, sql, new Date(NOW + HOUR));
    await freezeClock(sql, new Date(NOW + HOUR - 1));
    expect(await outcomeWith(client, passing.authorization)).toBe('answered');
    await freezeClock(sql, new Date(NOW + HOUR));
    expect(await outcomeWith(client, passing.authorization)).toBe('UNAUTHENTICATED');
    await freezeClock(sql, new Date('9999-01-01T00:00:00Z'));
    expect(await outcomeWith(client, `Bearer ${client.seeded.key}`)).toBe('answered');
    await revokeKey(sql, client.seeded.keyId);
    expect(await outcomeWith(client, `Bearer ${client.seeded.key}`)).toBe('UNAUTHENTICATED');
  });

  test('5 authentication 10 + 7 code UNAUTHENTICATED: unknown, wrong, revoked and expired keys get the same answer', async ({
    client,
    sql,
  }) => {
    const [id = '', secret = ''] = client.seeded.key.split('.');
    const [expired, revoked] = [await addKey(client, sql, new Date(0)), await addKey(client, sql)];
    await revokeKey(sql, revoked.keyId);
    const answers = new Set<string>();
    const bad = [
      `Bearer ${randomUUID()}.${secret}`,
      `Bearer ${id}.${hex(64)}`,
      revoked.authorization,
      expired.authorization,
      client.seeded.key, // Without `Bearer`.
      '',
    ];
    for (const authorization of bad) {
      const { status, body } = await client.send(
        '{ integrationReadiness { idpIdentityAvailable } }',
        {},
        { authorization },
      );
      const [{ message, extensions }] = body.errors;
      answers.add(JSON.stringify([status, message, extensions.code]));
    }
    const message = 'This needs a valid application key, sent as "Authorization: Bearer <key>".';
    expect([...answers]).toEqual([JSON.stringify([200, message, 'UNAUTHENTICATED'])]);
  });

  test('5 authentication 10 + 7 code FORBIDDEN: a disabled app is FORBIDDEN everywhere', async ({ client, sql }) => {
    await setEnabled(sql, client.seeded.app.appId, false);
    for (const field of GUARDED)
      expect(await codes(client, field, `Bearer ${client.seeded.key}`), field).toEqual(['FORBIDDEN']);
  });

  test('5 authentication 8: no answer allows another origin to read it (CORS)', async ({ api, client }) => {
    const origin = 'https://caller.example';
    const asked = { origin, 'access-control-request-method': 'POST' };
    const answers = [
      await fetch(`${api.url}/graphql`, { method: 'OPTIONS', headers: asked }),
      await fetch(`${api.url}/schema.graphql`, { headers: { origin } }),
      await client.send('{ status { ok } }', {}, { origin }),
    ];
    for (const { headers } of answers) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test('5 authentication 11 + D correlation header: every error has the UUID of its header', async ({ client }) => {
    const requests = [
      () => client.send('{ integrationReadiness { idpIdentityAvailable } }', {}, { authorization: '' }),
      () => client.send('{'),
      () => client.send('{ nothing }'),
      () => client.post('{'),
      () => client.post('[]'),
      () => client.send(DOCUMENTS.connection, { scope: client.scope, id: randomUUID() }),
    ];
    const ids = new Set<string>();
    for (const request of requests) {
      const { headers, body } = await request();
      for (const { extensions } of body.errors) {
        expect(extensions.correlationId).toMatch(UUID);
        expect(extensions.correlationId).toBe(headers.get('x-correlation-id'));
        ids.add(extensions.correlationId);
      }
    }
    expect(ids.size).toBe(requests.length);
  });
});

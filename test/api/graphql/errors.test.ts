import { describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../../src/basics/errors.ts';
import {
  AUTHORIZATION,
  codesOf,
  KEY_ID,
  messagesOf,
  owner,
  PRIVATE,
  resolvers,
  SECRET,
  startService,
  useService,
} from '../../kit/graphql-service.ts';

const SCOPE = '{ tenantKey: "t", externalSubjectId: "s" }';

const service = useService();

describe('a body', () => {
  test.each(['', 'text/plain', 'application/x-www-form-urlencoded'])('sent as %j is refused', async (type) => {
    const response = await service.post('{"query":"{status{ok}}"}', { 'content-type': type });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ message: expect.stringContaining('application/json'), extensions: { code: 'BAD_USER_INPUT' } }],
    });
  });

  test.each([
    ['NOT_FOUND', 200],
    ['BAD_USER_INPUT', 400],
  ] as const)('beside data, %s has status %i', async (code, status) => {
    const contentItem = () => Promise.reject(new ServiceError(code, 'No.'));
    const beside = await startService({ resolvers: { ...resolvers, Query: { ...resolvers.Query, contentItem } } });
    const answer = await beside.ask(
      `{ status { ok } contentItem(scope: ${SCOPE}, connectionId: "1", providerContentId: "2") { id } }`,
    );
    await beside.close();
    expect(answer).toMatchObject({ status, body: { data: { status: { ok: true }, contentItem: null } } });
    expect(codesOf(answer)).toEqual([code]);
  });
});

const failing = {
  'an error thrown': `{ syncJob(scope: ${SCOPE}, connectionId: "1", id: "2") { id } }`,
  'a string thrown': `mutation { disconnectConnection(scope: ${SCOPE}, connectionId: "1") { accepted } }`,
  'an enum value we do not have':
    'mutation { redeemIdpIdentityResult(id: "1", tenantKey: "t", resultProof: "p") { status } }',
  'null for a field that has a value': `mutation { requestRefresh(scope: ${SCOPE}, connectionId: "1") { id } }`,
};
test.each(Object.entries(failing))('an unexpected failure is masked: %s', async (_name, query) => {
  const answer = await service.ask(query);
  expect(answer.status).toBe(200);
  expect(codesOf(answer)).toEqual(['UPSTREAM_UNAVAILABLE']);
  expect(messagesOf(answer)).toEqual(['Something went wrong on our side.']);
  expect(JSON.stringify(answer.body)).not.toContain(PRIVATE);
  const correlationId = answer.headers.get('x-correlation-id');
  const logged = service.lines.map((line) => JSON.parse(line)).filter((line) => line.correlationId === correlationId);
  expect(logged.map(({ level, message }) => [level, message])).toEqual([
    ['error', 'Unexpected failure'],
    ['info', 'Request'],
  ]);
});

describe('authentication', () => {
  test('cannot be bypassed by a missing resolver', async () => {
    await expect(startService({ resolvers: { Query: { status: () => ({}) } } })).rejects.toThrow(
      'Query.integrationReadiness has no resolver.',
    );
  });

  test('runs once per request, and notes the use of a valid key', async () => {
    const findKeyOwner = vi.fn(async () => owner());
    const noteUse = vi.fn<(keyId: string) => void>();
    const guarded = await startService({ findKeyOwner, noteUse });
    const two = '{ a: integrationReadiness { idpIdentityAvailable } b: integrationReadiness { idpIdentityAvailable } }';
    expect((await guarded.ask(two)).body.errors).toBeUndefined();
    expect(findKeyOwner).toHaveBeenCalledTimes(1);
    expect(noteUse.mock.calls).toEqual([[KEY_ID]]);
    findKeyOwner.mockResolvedValue(owner({ usable: false }));
    expect(codesOf(await guarded.ask(two))).toEqual(['UNAUTHENTICATED']);
    expect(noteUse).toHaveBeenCalledTimes(1);
    findKeyOwner.mockResolvedValue(owner({ enabled: false }));
    expect(codesOf(await guarded.ask(two))).toEqual(['FORBIDDEN']);
    // A person can quote only the id of the request, so its line gives the reason.
    expect(guarded.lines.map((line) => JSON.parse(line).refusals)).toEqual([
      undefined,
      undefined,
      ['The app is disabled.'],
    ]);
    await guarded.close();
  });
});

test('logs name the operations and their codes, and contain no text from a caller', async () => {
  const fresh = await startService(); // Its log has no lines of other tests.
  await fresh.ask(
    `query ${PRIVATE.replace('-', '_')}($subject: String!) { mine: connections(scope: { tenantKey: "${PRIVATE}", externalSubjectId: $subject }) { items { id } } }`,
    { variables: { subject: `${PRIVATE}-subject` } },
  );
  await fresh.ask(`{ ${PRIVATE.replace('-', '_')} }`);
  await fetch(`${fresh.url}/${PRIVATE}?code=${PRIVATE}`);
  await fetch(`${fresh.url}/graphql?query=${PRIVATE}`);
  await fresh.close();
  const logged = fresh.lines;
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { method: 'POST', route: '/graphql', status: 200, operations: ['connections'] },
    { method: 'POST', route: '/graphql', status: 400, codes: ['BAD_USER_INPUT'] },
    { method: 'GET', route: 'none', status: 404 },
    { method: 'GET', route: '/graphql', status: 404 },
  ]);
  for (const text of [PRIVATE, PRIVATE.replace('-', '_'), SECRET, AUTHORIZATION]) {
    expect(logged.join('')).not.toContain(text);
  }
});

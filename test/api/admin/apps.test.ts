import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { CONNECT_URL } from '../../kit/caller.ts';
import { refusalOf, useAdmin } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';

const { operator } = useAdmin();

const createApp = async (input: object = {}) =>
  await operator.run('createApp', { input: { name: 'Harbour Kitchen', ...input } }, 'id missing');

test('an app starts empty, lists its missing parts, and ends complete', async () => {
  const app = await createApp();
  expect(app.missing).toEqual([
    'It has no active key.',
    'It has no tenant.',
    'It has no return URL.',
    'No policy lets it use a provider.',
  ]);
  const appId = app.id;
  await operator.run('issueKey', { input: { appId } }, 'secret');
  await operator.run('addTenant', { appId, tenantKey: 'berlin' }, 'tenantKey connectionCount');
  await operator.run('addReturnUrl', { appId, url: 'https://app.example/back' });
  await operator.run('setPolicy', { appId, provider: 'PROVIDER_B', capabilities: ['PROFILE', 'CONTENT_LIST'] });
  const missing = async () => (await operator.run('app', { id: appId }, 'missing')).missing;
  expect(await missing()).toEqual(['No registration serves it at TikTok (PROVIDER_B).']);
  const registration = await operator.run(
    'createRegistration',
    { input: { provider: 'PROVIDER_B', label: 'Main', clientId: 'client', clientSecret: 'hush-hush-hush' } },
    'id clientId',
  );
  await operator.run('serveApp', { registrationId: registration.id, appId });
  await operator.run('pauseRegistration', { id: registration.id }, 'dryRun');
  expect(await missing()).toEqual(['Its registration at TikTok (PROVIDER_B) is paused.']);
  await operator.run('resumeRegistration', { id: registration.id });
  expect(await missing()).toEqual([]);
});

describe('a key', () => {
  const issue = async (input: object) =>
    await operator.run('issueKey', { input }, 'key { id active expiresAt } secret');

  test('that has expired leaves room for a new one; two that work do not', async ({ sql }) => {
    const { id: appId } = await createApp();
    const { key } = await issue({ appId, expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    await issue({ appId });
    expect((await refusalOf(issue({ appId }))).message).toContain('The app has two active keys');
    await sql`update app_key set expires_at = business_now() where key_id = ${key.id}`; // As an hour later.
    expect(await issue({ appId })).toMatchObject({ key: { active: true } });
  });

  test('is issued and shown once when requested twice with one idempotency key', async () => {
    const { id: appId } = await createApp();
    const input = { appId, idempotencyKey: randomUUID() };
    const [one, other] = await Promise.all([issue(input), issue(input)]);
    expect(one.key.id).toBe(other.key.id);
    expect([one.secret, other.secret].filter((secret) => secret !== null)).toHaveLength(1);
    const refusal = await refusalOf(issue({ ...input, label: 'another' }));
    expect(refusal.message).toBe('BAD_USER_INPUT: input.idempotencyKey was used for another request.');
    expect((await operator.run('app', { id: appId }, 'keys { id }')).keys).toHaveLength(1);
  });
});

const search = async (text: string, after: string | null = null) =>
  await operator.run(
    'apps',
    { filter: { search: text }, first: 2, after },
    'items { id name } pageInfo { endCursor hasNextPage }',
  );
const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

test('a search for apps keeps its filter on later pages', async () => {
  const name = `Twin ${randomUUID()}`;
  const made = [];
  for (let i = 0; i < 3; i += 1) made.unshift((await createApp({ name })).id);
  const first = await search(name);
  const second = await search(name, first.pageInfo.endCursor);
  expect([...idsOf(first), ...idsOf(second)]).toEqual(made);
  const { endCursor: after } = first.pageInfo;
  expect((await refusalOf(search('another', after))).code).toBe('BAD_USER_INPUT');
  expect((await refusalOf(operator.run('jobs', { after }, 'items { id }'))).code).toBe('BAD_USER_INPUT');
  expect((await refusalOf(search(''))).message).toContain('filter.search must be 1 to 200 characters');
});

test('the URLs to register at providers are exactly the ones that Connect sends', async () => {
  const service = await operator.run('service', {}, 'graphqlUrl redirectUris { provider url } providersWithDailyQuota');
  expect(service).toEqual({
    graphqlUrl: `${CONNECT_URL}/graphql`,
    redirectUris: ['a', 'b', 'c'].map((letter) => ({
      provider: `PROVIDER_${letter.toUpperCase()}`,
      url: `${CONNECT_URL}/api/connect/callback/provider-${letter}`,
    })),
    providersWithDailyQuota: ['PROVIDER_A'],
  });
  const issuer = await operator.run(
    'createIdentityIssuer',
    { input: { issuer: 'https://login.example', clientId: 'client', clientSecret: 'hush-hush-hush' } },
    'id redirectUri',
  );
  expect(issuer.redirectUri).toBe(`${CONNECT_URL}/api/identity/callback/${issuer.id}`);
});

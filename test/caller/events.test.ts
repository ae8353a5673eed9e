import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { refusal } from './fake-service.ts';
import { NOOR, openStudio, ROWAN, type Visitor } from './visitor.ts';
import { OTHER_SECRET, SECRET, signWebhook } from './webhook.ts';

const CONNECTION = 'c0ffee00-0000-4000-8000-000000000001';
const ACCOUNT = {
  id: CONNECTION,
  provider: 'PROVIDER_B',
  status: 'CONNECTED',
  syncStatus: 'READY',
  providerAccountId: 'open-id-1',
  lastSuccessfulSyncAt: null,
  nextRetryAt: null,
  capabilities: [],
  profile: null,
};

type Studio = ReturnType<typeof openStudio>;

const openWithWebhooks = (secrets = SECRET) => openStudio({ WEBHOOK_SECRETS: secrets });

/** @returns the status of the answer. */
async function deliver({ app }: Studio, event: object, { forged = '', ...options }: Forgery = {}) {
  const { body, ...request } = signWebhook(event, options);
  return (await app.request('/webhooks', { ...request, body: body + forged })).status;
}
type Forgery = { secret?: string; ageSeconds?: number; forged?: string };

const changed = (connectionId = CONNECTION) => ({ type: 'job.finished', data: { connectionId } });

/** A signed-in person with one account. */
async function signIn(studio: Studio, person = ROWAN, accounts: readonly object[] = [ACCOUNT]): Promise<Visitor> {
  const visitor = studio.visitor();
  await visitor.signIn(person);
  const pageInfo = { endCursor: null, hasNextPage: false };
  studio.service.answers.connections = () => ({ items: accounts, pageInfo });
  await visitor.get('/'); // The application reads the accounts.
  return visitor;
}

const readSeen = async (visitor: Visitor) => /data-seen="(\d+)"/.exec((await visitor.get('/')).text)?.[1] ?? '';

/** Opens an event stream with this visitor's cookie. */
async function listen({ app }: Studio, visitor: Visitor, seen: string, headers: Record<string, string> = {}) {
  const response = await app.request(`/events?seen=${seen}`, { headers: { cookie: visitor.cookie, ...headers } });
  const reader = response.body?.getReader();
  const close = async () => void (await reader?.cancel());
  onTestFinished(close);
  let text = '';
  /** Reads until the text has arrived. @returns false if the stream has ended before. */
  const has = async (wanted: string | RegExp): Promise<boolean> => {
    while (!(typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text))) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return false;
      text += new TextDecoder().decode(value);
    }
    text = '';
    return true;
  };
  return { status: response.status, headers: response.headers, has, close };
}

const CHANGE = /event: changed\n/;

test('an account that the service has erased is forgotten, and another one is not', async () => {
  const studio = openWithWebhooks();
  const other = { ...ACCOUNT, id: 'c0ffee00-0000-4000-8000-000000000002' };
  const named = (displayName: string) => ({ profile: { displayName, observedAt: new Date().toISOString() } });
  const rowan = await signIn(studio, ROWAN, [
    { ...ACCOUNT, ...named('Gone Kitchen') },
    { ...other, ...named('Night Desk') },
  ]);
  studio.service.answers.connections = () => {
    throw refusal('RECONNECT_REQUIRED');
  };
  studio.service.answers.connection = () => {
    throw refusal('RECONNECT_REQUIRED');
  };
  expect((await rowan.get('/')).text).toContain('Gone Kitchen');
  await deliver(studio, { type: 'connection.erased', data: { connectionId: CONNECTION } });
  const { text } = await rowan.get('/');
  expect(text).not.toContain('Gone Kitchen');
  expect(text).toContain('Night Desk');
});

describe('the webhooks', () => {
  test('are refused without a fitting signature, and with one that is old', async () => {
    const studio = openWithWebhooks();
    const rowan = await signIn(studio);
    const seen = await readSeen(rowan);
    expect(await deliver(studio, changed(), { secret: OTHER_SECRET })).toBe(400);
    expect(await deliver(studio, changed(), { ageSeconds: 301 })).toBe(400);
    expect(await deliver(studio, changed(), { forged: ' ' })).toBe(400);
    expect(await readSeen(rowan)).toBe(seen);
    expect(await deliver(studio, changed())).toBe(204);
    expect(await readSeen(rowan)).not.toBe(seen);
  });

  test('are taken with either secret while one replaces the other', async () => {
    const studio = openWithWebhooks(`${SECRET} ${OTHER_SECRET}`);
    expect(await deliver(studio, changed(), { secret: OTHER_SECRET })).toBe(204);
    expect(await deliver(studio, changed())).toBe(204);
  });

  test('do not exist without a secret, and the pages then poll as before', async () => {
    const studio = openStudio();
    const rowan = await signIn(studio);
    expect(await deliver(studio, changed())).toBe(404);
    expect((await rowan.get('/')).text).not.toContain('data-seen');
    expect((await rowan.get('/events')).status).toBe(404);
  });

  test('need secrets that are whsec_ and base64', () => {
    expect(() => openWithWebhooks('secret')).toThrow('WEBHOOK_SECRETS');
  });
});

describe('the event stream', () => {
  test('notifies each page of the person whose account has changed, and no one else', async () => {
    const studio = openWithWebhooks();
    const rowan = await signIn(studio);
    const [page, tab] = [await listen(studio, rowan, await readSeen(rowan)), await listen(studio, rowan, '0')];
    const noor = await signIn(studio, NOOR, []);
    const seenByNoor = await readSeen(noor);
    const stranger = await listen(studio, noor, seenByNoor);
    expect(await stranger.has(/:\n\n/)).toBe(true); // It waits now.
    expect(await page.has('retry: 2000')).toBe(true);
    expect(await tab.has(CHANGE)).toBe(true); // It shows an old version.
    await deliver(studio, changed());
    expect(await page.has(CHANGE)).toBe(true);
    expect(await tab.has(CHANGE)).toBe(true);
    expect(await readSeen(noor)).toBe(seenByNoor);
    await noor.post('/sign-out');
    expect(await stranger.has(CHANGE)).toBe(false);
  });

  test('ends with the session, and is refused without one', async () => {
    const studio = openWithWebhooks();
    const rowan = await signIn(studio);
    const page = await listen(studio, rowan, await readSeen(rowan));
    const cookie = rowan.cookie;
    await rowan.post('/sign-out');
    expect(await page.has(CHANGE)).toBe(false);
    rowan.cookie = cookie;
    expect((await listen(studio, rowan, '0')).status).toBe(401);
  });

  test('is open six times for one session at most; a closed one makes room', async () => {
    const studio = openWithWebhooks();
    const rowan = await signIn(studio);
    const seen = await readSeen(rowan);
    const pages = await Promise.all(Array.from({ length: 6 }, () => listen(studio, rowan, seen)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await listen(studio, rowan, seen)).status).toBe(429);
    await pages[0]?.close();
    await vi.waitUntil(async () => (await listen(studio, rowan, seen)).status === 200);
  });
});

describe('a disconnect that the person did not request', () => {
  test('has its receipt, whichever of its events arrives first', async () => {
    const studio = openWithWebhooks();
    const rowan = await signIn(studio, ROWAN, [{ ...ACCOUNT, profile: { displayName: 'Harbour Kitchen' } }]);
    const settled = { connectionId: CONNECTION, status: 'SUCCEEDED', errorCode: null, creatorAction: null };
    for (const [kind, jobId] of [['ERASE', 'erase'] as const, ['REVOKE', 'revoke'] as const])
      await deliver(studio, { type: 'receipt.settled', data: { ...settled, kind, jobId } });
    const data = { connectionId: CONNECTION, provider: 'PROVIDER_B', status: 'DISCONNECTED', reason: 'OPERATOR' };
    await deliver(studio, { type: 'connection.disconnected', data });
    studio.service.answers.syncJob = ({ id }: { id: string }) => ({ id, ...settled });
    const { text } = await rowan.get(`/receipts/${CONNECTION}`);
    expect(text).toContain('<bdi>Harbour Kitchen</bdi>');
    for (const part of ['Access revoked.', 'Erased.', '<code>revoke</code>', '<code>erase</code>'])
      expect(text).toContain(part);
  });

  test('has a receipt on the home page, with the step left for the person; the other account stays', async () => {
    const studio = openWithWebhooks();
    const other = { ...ACCOUNT, id: CONNECTION.replace(/1$/, '2'), profile: { displayName: 'Night Desk' } };
    const gone = { ...ACCOUNT, provider: 'PROVIDER_C', profile: { displayName: 'Harbour Kitchen' } };
    const rowan = await signIn(studio, ROWAN, [gone, other]);
    const data = { connectionId: CONNECTION, provider: 'PROVIDER_C', status: 'DISCONNECTED', reason: 'OPERATOR' };
    await deliver(studio, { type: 'connection.disconnected', data });
    studio.service.answers.connections = () => ({ items: [other], pageInfo: { endCursor: null, hasNextPage: false } });
    const open = await rowan.get(`/receipts/${CONNECTION}`);
    expect(open.text).toContain('Revoking access…');
    const settled = { connectionId: CONNECTION, status: 'SUCCEEDED', errorCode: null };
    const creatorAction = 'REMOVE_APP_AT_PROVIDER';
    await deliver(studio, {
      type: 'receipt.settled',
      data: { ...settled, kind: 'REVOKE', jobId: 'revoke', creatorAction },
    });
    await deliver(studio, {
      type: 'receipt.settled',
      data: { ...settled, kind: 'ERASE', jobId: 'erase', creatorAction: null },
    });
    await deliver(studio, { type: 'connection.erased', data: { connectionId: CONNECTION } });
    studio.service.answers.syncJob = ({ id }: { id: string }) => ({
      id,
      status: 'SUCCEEDED',
      errorCode: null,
      creatorAction: id === 'revoke' ? creatorAction : null,
    });
    const home = await rowan.get('/');
    expect(home.text).toContain(`<a href="/receipts/${CONNECTION}"><bdi>Harbour Kitchen</bdi></a>`);
    expect(home.text).toContain('Night Desk');
    expect(home.text).not.toContain(`/receipts/${other.id}`);
    const receipt = await rowan.get(`/receipts/${CONNECTION}`);
    expect(receipt.text).toContain('One step left for you.');
    expect(receipt.text).toContain('Erased.');
  });
});

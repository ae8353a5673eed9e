import { describe, expect, onTestFinished, test } from 'vitest';
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

const openWithWebhooks = () => openStudio({ WEBHOOK_SECRETS: SECRET });

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
});

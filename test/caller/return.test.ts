import { describe, expect, test } from 'vitest';
import type { FakeService } from './fake-service.ts';
import { NOOR, openStudio, ROWAN } from './visitor.ts';

const CONNECTION = 'c0ffee00-0000-4000-8000-000000000001';

function answerResult(service: FakeService, result: object): void {
  service.answers.connectSessionResult = ({ id }: { id: string }) => ({
    id,
    provider: 'PROVIDER_B',
    resultCode: null,
    connectionId: null,
    creatorAction: null,
    expiresAt: new Date().toISOString(),
    resultExpiresAt: new Date().toISOString(),
    ...result,
  });
}

describe('coming back with an id', () => {
  test('shows the outcome to the session that began', async () => {
    const { service, visitor } = openStudio();
    answerResult(service, { status: 'COMPLETED', connectionId: CONNECTION });
    const rowan = visitor();
    await rowan.signIn(ROWAN);
    const id = await rowan.begin();
    const back = await rowan.get(`/connect/return?ss_session_id=${id}`);
    expect(back.location).toBe(`/connect/outcome/${id}`);
    expect((await rowan.get(back.location ?? '')).location).toBe(`/connections/${CONNECTION}`);
    expect(service.callsOf('connectSessionResult').map(({ args }) => args.id)).toEqual([id]);
  });

  test('of somebody else’s attempt is refused, and nothing is asked or shown', async () => {
    const { service, visitor } = openStudio();
    answerResult(service, { status: 'COMPLETED', connectionId: CONNECTION });
    const [rowan, noor] = [visitor(), visitor()];
    await rowan.signIn(ROWAN);
    await noor.signIn(NOOR);
    const [mine, theirs] = [await rowan.begin(), await noor.begin()];
    for (const [browser, swapped] of [
      [rowan, theirs],
      [noor, mine],
    ] as const) {
      const { status, text } = await browser.get(`/connect/return?ss_session_id=${swapped}`);
      expect(status).toBe(403);
      expect(text).not.toContain(CONNECTION);
      expect((await browser.get(`/connect/outcome/${swapped}`)).status).toBe(403);
    }
    expect(service.callsOf('connectSessionResult')).toEqual([]);
  });

  test.each([
    ['none', ''],
    ['an empty one', '?ss_session_id='],
    ['one never given out', '?ss_session_id=c0ffee00-0000-4000-8000-00000000dead'],
  ])('%s is refused', async (_what, query) => {
    const { service, visitor } = openStudio();
    const rowan = visitor();
    await rowan.signIn(ROWAN);
    await rowan.begin();
    expect((await rowan.get(`/connect/return${query}`)).status).toBe(403);
    expect(service.callsOf('connectSessionResult')).toEqual([]);
  });

  test('named twice is refused, even when one of them is right', async () => {
    const { visitor } = openStudio();
    const rowan = visitor();
    await rowan.signIn(ROWAN);
    const id = await rowan.begin();
    expect((await rowan.get(`/connect/return?ss_session_id=${id}&ss_session_id=other`)).status).toBe(403);
  });

  test('is refused to whoever signed in meanwhile in the same browser', async () => {
    const { visitor } = openStudio();
    const browser = visitor();
    await browser.signIn(ROWAN);
    const id = await browser.begin();
    await browser.signIn(NOOR);
    expect((await browser.get(`/connect/return?ss_session_id=${id}`)).status).toBe(403);
  });

  test('is needed: the outcome is not shown before', async () => {
    const { service, visitor } = openStudio();
    const rowan = visitor();
    await rowan.signIn(ROWAN);
    expect((await rowan.get(`/connect/outcome/${await rowan.begin()}`)).status).toBe(403);
    expect(service.callsOf('connectSessionResult')).toEqual([]);
  });

  test('keeps two attempts in two tabs apart', async () => {
    const { service, visitor } = openStudio();
    answerResult(service, { status: 'DENIED', resultCode: 'ACCESS_DENIED' });
    const rowan = visitor();
    await rowan.signIn(ROWAN);
    for (const id of [await rowan.begin(), await rowan.begin({ capability: 'PROFILE' }, 'c')].reverse()) {
      const { location } = await rowan.get(`/connect/return?ss_session_id=${id}`);
      expect((await rowan.get(location ?? '')).text).toContain('You chose not to allow it.');
    }
  });
});

describe('the outcome', () => {
  async function outcome(result: object) {
    const { service, visitor } = openStudio();
    answerResult(service, result);
    const rowan = visitor();
    await rowan.signIn(ROWAN);
    const { location } = await rowan.get(`/connect/return?ss_session_id=${await rowan.begin()}`);
    return await rowan.get(location ?? '');
  }

  test.each(['CREATED', 'AUTHORIZING', 'EXCHANGING'])(
    'is waited for while %s, with and without script',
    async (status) => {
      const { text } = await outcome({ status });
      expect(text).toMatch(/<body data-follow="[0-9]+">/);
      expect(text).toMatch(/<noscript><meta http-equiv="refresh" content="[0-9]+"\/><\/noscript>/);
    },
  );

  test('says when the app has to be removed at the provider, and where', async () => {
    const creatorAction = 'REMOVE_APP_AT_PROVIDER';
    const { text } = await outcome({
      status: 'FAILED',
      resultCode: 'EXCHANGE_FAILED',
      provider: 'PROVIDER_C',
      creatorAction,
    });
    expect(text).toContain('One step is yours.');
    expect(text).toContain('href="https://provider-c.example/apps"');
  });

  test('says when less was allowed than asked for', async () => {
    const { service, visitor } = openStudio();
    answerResult(service, { status: 'COMPLETED', connectionId: CONNECTION, resultCode: 'PARTIAL_PERMISSION' });
    const rowan = visitor();
    await rowan.signIn(ROWAN);
    const { location } = await rowan.get(`/connect/return?ss_session_id=${await rowan.begin()}`);
    await rowan.get(location ?? '');
    expect((await rowan.get('/')).text).toContain('Connected, with less than you had chosen.');
  });
});

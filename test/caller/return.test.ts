import { describe, expect, test } from 'vitest';
import type { FakeService } from './fake-service.ts';
import { NOOR, openSignedIn, openStudio, ROWAN } from './visitor.ts';

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

describe('a return with an id', () => {
  test('shows the result to the session that started the attempt', async () => {
    const { service, rowan } = await openSignedIn();
    answerResult(service, { status: 'COMPLETED', connectionId: CONNECTION });
    const id = await rowan.begin();
    const back = await rowan.get(`/connect/return?ss_session_id=${id}`);
    expect(back.location).toBe(`/connect/outcome/${id}`);
    expect((await rowan.get(back.location ?? '')).location).toBe(`/connections/${CONNECTION}`);
    expect(service.callsOf('connectSessionResult').map(({ args }) => args.id)).toEqual([id]);
  });

  test('of another person’s attempt is refused without a call to the service', async () => {
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
    ['an empty one', '?ss_session_id='],
    ['an unknown one', '?ss_session_id=c0ffee00-0000-4000-8000-00000000dead'],
  ])('%s is refused', async (_what, query) => {
    const { service, rowan } = await openSignedIn();
    await rowan.begin();
    expect((await rowan.get(`/connect/return${query}`)).status).toBe(403);
    expect(service.callsOf('connectSessionResult')).toEqual([]);
  });
});

describe('the result', () => {
  async function outcome(result: object) {
    const { service, rowan } = await openSignedIn();
    answerResult(service, result);
    const { location } = await rowan.get(`/connect/return?ss_session_id=${await rowan.begin()}`);
    return await rowan.get(location ?? '');
  }

  test.each([
    ['EXCHANGE_FAILED', 'If you do not want to try again.', /Try again<\/a>/],
    ['CLIENT_REFUSED', 'One step left for you.', undefined],
  ])('after %s asks to remove the app, and where, but not beside a new try', async (resultCode, asks, retry) => {
    const end = { status: 'FAILED', resultCode, provider: 'PROVIDER_C', creatorAction: 'REMOVE_APP_AT_PROVIDER' };
    const { text } = await outcome(end);
    expect(text).toContain(asks);
    expect(text).toContain('href="https://provider-c.example/apps"');
    const tries = text.search(/Try again<\/a>/);
    if (retry) expect(tries).toBeLessThan(text.indexOf(asks));
    expect(tries >= 0).toBe(retry !== undefined);
  });
});

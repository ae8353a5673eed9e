import { describe, expect, test } from 'vitest';
import type { AttemptId } from '../../../src/basics/ids.ts';
import { findAttempt } from '../../kit/seed-attempts.ts';
import { nextUrlOf, openOwnStage, stateIn, useStage } from './stage.ts';

const stage = useStage();

const statusOf = async (attempt: { attemptId: AttemptId }) => (await findAttempt(stage.sql, attempt.attemptId))?.status;

describe('a launch', () => {
  test('asks only for the permissions that the platform has approved for our client', async () => {
    const attempt = await stage.connectAttempt('PROVIDER_B');
    const approve = (permissions: string[] | null) =>
      stage.sql`update registration set permissions = ${permissions}::text[] where registration_id = ${attempt.registrationId}`;
    const scopeOf = async ({ launchToken }: { launchToken: string }) => {
      const response = await stage.browser().launch('connect', launchToken);
      return (await nextUrlOf(response)).searchParams.get('scope');
    };
    try {
      await approve(['user.info.basic', 'video.list']);
      expect(await scopeOf(attempt)).toBe('user.info.basic,video.list');
      expect(await scopeOf(await stage.connectAttempt('PROVIDER_A'))).toBe(
        'openid https://www.googleapis.com/auth/youtube.readonly',
      );
    } finally {
      await approve(null);
    }
  });

  test('is refused to an address that launches too many, on a page, and spends nothing', async () => {
    const limited = await openOwnStage({ launchesPerAddress: 2 });
    const [one, two, three] = [
      await limited.connectAttempt(),
      await limited.connectAttempt(),
      await limited.connectAttempt(),
    ];
    const browser = limited.browser();
    for (const { launchToken } of [one, two]) expect((await browser.launch('connect', launchToken)).status).toBe(200);
    const refused = await browser.launch('connect', three.launchToken);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await refused.text()).toContain('too many requests from your network');
    expect((await findAttempt(limited.sql, three.attemptId))?.status).toBe('CREATED');
    // Another person's browser, elsewhere, may launch. So may this one, later, with the same token.
    expect((await limited.browser().launch('connect', three.launchToken)).status).toBe(200);
  });

  test('answers with a page that works without script, and reveals nothing to the platform', async () => {
    const { launchToken } = await stage.connectAttempt();
    const response = await stage.browser().launch('connect', launchToken);
    expect([response.headers.get('referrer-policy'), response.headers.get('cache-control')]).toEqual([
      'no-referrer',
      'no-store',
    ]);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await response.text();
    expect(html).toContain('Rowan &amp; &lt;Friends&gt;');
    expect(html).toMatch(/<a href="https:\/\/www\.tiktok\.com\/[^"]+">Continue<\/a>/);
    expect(html).not.toContain('<script');
  });

  test.each(['connect', 'identity'] as const)(
    'of the %s flow leads its own browser on again, and no other',
    async (flow) => {
      const { launchToken, attemptId } = await (flow === 'connect' ? stage.connectAttempt() : stage.identityAttempt());
      const [browser, other] = [stage.browser(), stage.browser()];
      const first = await browser.launch(flow, launchToken);
      const [cookie] = browser.cookies;
      const again = await browser.launch(flow, launchToken);
      expect((await nextUrlOf(again)).href).toBe((await nextUrlOf(first)).href);
      expect([...browser.cookies]).toEqual([cookie]);
      const elsewhere = await other.launch(flow, launchToken);
      expect([elsewhere.status, await elsewhere.text()]).toEqual([409, expect.stringContaining('second click')]);
      // A stranger's cookie of the same name is not the browser's own.
      other.cookies.set(cookie?.[0] ?? '', 'A'.repeat(43));
      expect((await other.launch(flow, launchToken)).status).toBe(409);
      // Afterwards its own browser is led back to the app.
      const state = await stateIn(await browser.launch(flow, launchToken));
      const place = flow === 'connect' ? 'provider-b' : stage.issuerId;
      await browser.send(`/api/${flow}/callback/${place}?error=access_denied&state=${state}`);
      const last = await nextUrlOf(await browser.launch(flow, launchToken));
      expect([last.host, last.searchParams.get('ss_session_id')]).toEqual(['app.example', attemptId]);
    },
  );

  test('binds the attempt to the browser by a cookie only this host can set, and stores only hashes', async () => {
    const attempt = await stage.connectAttempt();
    const browser = stage.browser();
    const response = await browser.launch('connect', attempt.launchToken);
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-ss_[\w-]{16}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const [row] = await stage.sql`select * from connect_attempt where attempt_id = ${attempt.attemptId}`;
    const stored = JSON.stringify(row, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value).toString() : value,
    );
    for (const secret of [attempt.launchToken, await stateIn(response), ...browser.cookies.values()]) {
      expect(stored).not.toContain(secret);
    }
  });

  test.each([
    ['a page of another return URL or launch origin', { origin: 'https://other.example' }],
    ['a browser that sends no fetch metadata', { 'sec-fetch-site': '', 'sec-fetch-mode': '', 'sec-fetch-dest': '' }],
    [
      'a client that sends neither origin nor fetch metadata',
      { origin: '', 'sec-fetch-site': '', 'sec-fetch-mode': '', 'sec-fetch-dest': '' },
    ],
  ])('may come from %s', async (_, headers) => {
    const { launchToken } = await stage.connectAttempt();
    expect((await stage.browser().launch('connect', launchToken, headers)).status).toBe(200);
  });

  test.each([
    ['from a page that hides its origin', { origin: 'null' }, 403],
    ['from a foreign page', { origin: 'https://attacker.example' }, 403],
    ['from a foreign page whose origin begins like ours', { origin: 'https://app.example.attacker.example' }, 403],
    ['from another port of the same host', { origin: 'https://app.example:8443' }, 403],
    ['without an origin, by a browser that would have sent one', { origin: '' }, 403],
    ['as JSON', { 'content-type': 'application/json' }, 400],
  ])('refused %s uses up nothing', async (_, headers, status) => {
    const attempt = await stage.connectAttempt();
    const refused = await stage.browser().launch('connect', attempt.launchToken, headers);
    expect(refused.status).toBe(status);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(await statusOf(attempt)).toBe('CREATED');
    expect((await stage.browser().launch('connect', attempt.launchToken)).status).toBe(200);
  });
});

import { describe, expect, test as plainTest } from 'vitest';
import { Browser } from '../kit/browser.ts';
import { ADA, type IssuerServer, KIT, LEE, NOOR, type Person } from './issuer-server.ts';
import { openStage, type Stage, withClockAt } from './stage.ts';

/** A person's claims besides the id, as the app's backend gets them. */
const claimsOf = ({ email, givenName, familyName }: Person) => ({
  ...{ email, emailVerified: true, name: `${givenName} ${familyName}`, pictureUrl: null },
});

/** `test` with one server, and one service in front of it. */
export const issuerTest = (start: () => Promise<IssuerServer>) =>
  plainTest.extend<{ $file: { stage: Stage } }>({
    stage: [
      // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
      async ({}, use) => {
        const stage = await openStage(await start());
        await use(stage);
        await stage.close();
      },
      { scope: 'file' },
    ],
  });

type IssuerTest = ReturnType<typeof issuerTest>;

/** The rules for people who sign in to an app. @param idTokenSeconds how long the id_tokens of the server live */
export function describePeople(test: IssuerTest, idTokenSeconds: number): void {
  describe('a person', () => {
    test('signs in to two apps, as themselves, by either way to authenticate our client', async ({ stage }) => {
      const subjects: string[] = [];
      for (const tokenAuthMethod of ['client_secret_basic', 'client_secret_post'] as const) {
        const app = await stage.newApp({ tokenAuthMethod });
        for (const person of [ADA, NOOR]) {
          const { idpSub, ...result } = await stage.signIn(app, person);
          expect(result).toMatchObject({ status: 'COMPLETED', issuer: stage.server.issuer, ...claimsOf(person) });
          subjects.push(idpSub);
        }
      }
      const [ada, noor, ...again] = subjects;
      expect(ada).not.toBe(noor);
      expect(again).toEqual([ada, noor]);
    });

    test('is sent with the prompt that the server publishes', async ({ stage }) => {
      const { authorizationUrl } = await stage.begin(await stage.newApp());
      expect(authorizationUrl.searchParams.get('prompt')).toBe('login');
    });

    test('signs in with a key that the server made a moment ago, between sign-ins and during one', async ({
      stage,
    }) => {
      const app = await stage.newApp();
      expect(await stage.signIn(app, ADA)).toMatchObject({ status: 'COMPLETED' });
      await stage.server.rotateKeys();
      const { session, page, browser, finish } = await stage.begin(app);
      const { url } = await stage.server.signIn(browser, page, ADA);
      await finish(url);
      expect(await stage.redeem(app, session)).toMatchObject({ status: 'COMPLETED' });
    });

    test('signs in while our clock is 50 seconds off, and not while it is 2 minutes behind', async ({ stage }) => {
      const app = await stage.newApp();
      for (const seconds of [-50, 50]) {
        const { status } = await withClockAt(seconds, () => stage.signIn(app, ADA));
        expect([seconds, status]).toEqual([seconds, 'COMPLETED']);
      }
      expect(await withClockAt(-120, () => stage.signIn(app, ADA))).toMatchObject({ status: 'FAILED', idpSub: null });
      const expired = idTokenSeconds + 120;
      expect(await withClockAt(expired, () => stage.signIn(app, ADA))).toMatchObject({ status: 'FAILED' });
    });

    test('cannot be signed in with a code of another app, nor with a code that was used', async ({ stage }) => {
      const [one, other] = [await stage.newApp(), await stage.newApp()];
      const [mine, theirs] = [await stage.begin(one), await stage.begin(other)];
      const callback = new URL((await stage.server.signIn(mine.browser, mine.page, ADA)).url);
      const foreign = new URL((await stage.server.signIn(theirs.browser, theirs.page, NOOR)).url);
      callback.searchParams.set('code', foreign.searchParams.get('code') ?? '');
      await mine.finish(callback.href);
      expect(await stage.redeem(one, mine.session)).toMatchObject({ status: 'FAILED', idpSub: null });
      await theirs.finish(foreign.href); // Some servers end a code that another client has tried.
      expect(['COMPLETED', 'FAILED']).toContain((await stage.redeem(other, theirs.session)).status);
    });

    test('cannot sign in if the server does not take our secret, and another app’s people can', async ({ stage }) => {
      const app = await stage.newApp({ ourSecret: 'a-secret-of-long-ago' });
      expect(await stage.signIn(app, ADA)).toMatchObject({ status: 'FAILED' });
      expect(await stage.signIn(await stage.newApp(), ADA)).toMatchObject({ status: 'COMPLETED' });
    });

    test('sees a page instead of the server if we spell its issuer otherwise', async ({ stage }) => {
      const { server, url } = stage;
      const issuer = server.issuer.endsWith('/') ? server.issuer.slice(0, -1) : `${server.issuer}/`;
      const app = await stage.newApp({ issuer });
      const session = await app.createSignIn();
      const page = await app.browser.post(
        session.launchUrl,
        [['launchToken', session.launchToken]],
        app.seeded.returnUrl,
      );
      expect(page.status).toBe(503);
      expect(page.url).toBe(`${url}/api/identity/redeem`);
    });
  });
}

/** The rules for operators of the console. */
export function describeOperators(test: IssuerTest): void {
  const enter = async (stage: Stage, person: Person, again = false, browser = new Browser(`${stage.url}/admin`)) => {
    const page = await stage.openConsole(browser, again);
    return { browser, back: await stage.server.signIn(browser, page, person) };
  };

  describe('an operator', () => {
    test('gets the highest role of their groups, and without one no session', async ({ stage }) => {
      for (const [person, role] of [
        [ADA, 'OPERATOR'],
        [NOOR, 'VIEWER'],
      ] as const) {
        const { browser, back } = await enter(stage, person);
        expect(back.url).toBe(`${stage.url}/admin`);
        expect(await stage.me(browser)).toMatchObject({ role });
      }
      for (const person of [KIT, LEE]) {
        const { browser, back } = await enter(stage, person);
        expect(back).toMatchObject({ status: 403, html: 'None of your groups has a role here.' });
        expect(await stage.me(browser)).toBeNull();
      }
    });

    test('cannot use an answer twice, nor one for another browser', async ({ stage }) => {
      const browser = new Browser(`${stage.url}/api/admin/sign-in/callback`);
      const { back } = await enter(stage, ADA, false, browser);
      const stranger = new Browser(`${stage.url}/admin`);
      expect(await stranger.open(back.url)).toMatchObject({ status: 400 });
      expect(await stage.me(stranger)).toBeNull();
    });

    test('signs in with a key that the server made while they typed', async ({ stage }) => {
      const browser = new Browser(`${stage.url}/admin`);
      const page = await stage.openConsole(browser);
      await stage.server.rotateKeys();
      await stage.server.signIn(browser, page, ADA);
      expect(await stage.me(browser)).toMatchObject({ role: 'OPERATOR' });
    });

    test('is refused while our clock is 2 minutes off, either way', async ({ stage }) => {
      for (const seconds of [-120, 120]) {
        const { browser, back } = await withClockAt(seconds, () => enter(stage, ADA));
        expect(back, String(seconds)).toMatchObject({
          status: 401,
          html: 'The sign-in failed. Start again, or sign in with a token.',
        });
        expect(await stage.me(browser)).toBeNull();
      }
    });

    test('must sign in anew to prove who they are, although the server knows them', async ({ stage }) => {
      const { browser } = await enter(stage, ADA);
      const page = await stage.openConsole(browser, true);
      expect(new URL(page.url).origin).not.toBe(stage.url);
      const back = await stage.server.signIn(browser, page, ADA);
      const [last] = await stage.service.sql`
        select proven_at is not null as proven from admin_session order by created_at desc limit 1
      `;
      expect([back.status, last?.proven]).toEqual([303, true]);
    });
  });
}

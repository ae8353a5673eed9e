import { describe, expect } from 'vitest';
import { ADA, type Person } from './issuer-server.ts';
import { describeOperators, describePeople, issuerTest, type Traits } from './sign-ins.ts';
import { refuse, startStrictProvider } from './strict-provider.ts';

const traits: Traits = {
  claimsOf: ({ email, givenName, familyName }: Person) => ({
    email,
    emailVerified: true,
    name: `${givenName} ${familyName}`,
    pictureUrl: null,
  }),
  prompt: 'login',
  saysWhen: true,
  idTokenSeconds: null,
};

const published = issuerTest(() => startStrictProvider({ prompts: ['none', 'login', 'consent'] }));
const silent = issuerTest(() => startStrictProvider());
const set = issuerTest(() => startStrictProvider(), { IDENTITY_PROMPT: 'login' });

describe('a strict server that publishes its prompts', () => {
  describePeople(published, traits);
  describeOperators(published, traits);

  published('ends the attempt of a person who refuses', async ({ stage }) => {
    const app = await stage.newApp();
    const { session, page, browser, finish } = await stage.begin(app);
    const { url } = await refuse(browser, page);
    expect(new URL(url).searchParams.get('error')).toBe('access_denied');
    await finish(url);
    expect(await stage.redeem(app, session)).toMatchObject({ status: 'DENIED' });
  });
});

describe('a strict server that does not publish its prompts', () => {
  silent('refuses the whole request for the prompt that it does not know', async ({ stage }) => {
    const app = await stage.newApp();
    const { session, authorizationUrl, page, finish } = await stage.begin(app);
    expect(authorizationUrl.searchParams.get('prompt')).toBe('select_account');
    expect(new URL(page.url).searchParams.get('error')).toBe('invalid_request');
    await finish(page.url);
    expect(await stage.redeem(app, session)).toMatchObject({ status: 'FAILED' });
  });

  set('takes the prompt of our setting', async ({ stage }) => {
    expect(await stage.signIn(await stage.newApp(), ADA)).toMatchObject({ status: 'COMPLETED' });
  });
});

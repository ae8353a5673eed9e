import { expect } from 'vitest';
import { refuse, startHydra } from './hydra.ts';
import { NOOR, type Person } from './issuer-server.ts';
import { describeOperators, describePeople, issuerTest, type Traits } from './sign-ins.ts';

const start = () => startHydra(process.env.ISSUERS_HYDRA ?? '');
const test = issuerTest(start, { IDENTITY_PROMPT: 'login' });
const unset = issuerTest(start);

const traits: Traits = {
  claimsOf: ({ email, givenName, familyName }: Person) => ({
    email,
    emailVerified: true,
    name: `${givenName} ${familyName}`,
    pictureUrl: null,
  }),
  prompt: 'login', // It publishes none, so our setting decides.
  saysWhen: true,
  idTokenSeconds: 3_600,
};

describePeople(test, traits);
describeOperators(test, traits);

test('a person who refuses at Hydra is DENIED, and another person is not', async ({ stage }) => {
  const app = await stage.newApp();
  const { session, page, browser, finish } = await stage.begin(app);
  const { url } = await refuse(browser, page);
  expect(new URL(url).searchParams.get('error')).toBe('access_denied');
  await finish(url);
  expect(await stage.redeem(app, session)).toMatchObject({ status: 'DENIED' });
  expect(await stage.signIn(app, NOOR)).toMatchObject({ status: 'COMPLETED' });
});

unset('Hydra refuses the prompt that we send without the setting, once the person has signed in', async ({ stage }) => {
  const app = await stage.newApp();
  const { session, authorizationUrl, page, browser, finish } = await stage.begin(app);
  expect(authorizationUrl.searchParams.get('prompt')).toBe('select_account');
  const { url } = await stage.server.signIn(browser, page, NOOR);
  expect(new URL(url).searchParams.get('error')).toBe('invalid_request');
  await finish(url);
  expect(await stage.redeem(app, session)).toMatchObject({ status: 'FAILED', idpSub: null });
});

import { expect } from 'vitest';
import { refuse, startHydra } from './hydra.ts';
import { ADA, NOOR, type Person } from './issuer-server.ts';
import { describeOperators, describePeople, issuerTest, type Traits } from './sign-ins.ts';

const start = () => startHydra(process.env.ISSUERS_HYDRA ?? '');
const test = issuerTest(start, { IDENTITY_PROMPT: 'login' });
const untold = issuerTest(start);

const traits: Traits = {
  claimsOf: ({ email, givenName, familyName }: Person) => ({
    email,
    emailVerified: true,
    name: `${givenName} ${familyName}`,
    pictureUrl: null,
  }),
  prompt: 'login', // It publishes none, so our setting says so.
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

untold('Hydra refuses the prompt that we send without the setting', async ({ stage }) => {
  const app = await stage.newApp();
  const { session, page, finish } = await stage.begin(app);
  const answer = new URL(page.url).searchParams;
  expect(answer.get('error')).toBe('invalid_request');
  await finish(page.url);
  expect(await stage.redeem(app, session)).toMatchObject({ status: 'FAILED' });
  expect(ADA.username).toBe('ada');
});

import { describe, expect } from 'vitest';
import { type Dex, startDex } from './dex.ts';
import { ADA } from './issuer-server.ts';
import { describeOperators, describePeople, issuerTest } from './sign-ins.ts';
import type { Stage } from './stage.ts';

const start = () => startDex(process.env.ISSUERS_DEX ?? '', process.env.ISSUERS_DEX_WEB ?? '');
const test = issuerTest(start);

// It publishes no prompts, and ignores the one that we send. It has no userinfo, and no PKCE.
const traits = {
  claimsOf: ({ email, givenName, familyName }: typeof ADA) => ({
    email,
    emailVerified: true,
    name: `${givenName} ${familyName}`,
    pictureUrl: null,
  }),
  prompt: 'select_account',
  saysWhen: false,
  idTokenSeconds: 24 * 3_600,
};

describePeople(test, traits);
describeOperators(test, traits);

describe('a Dex whose clock is off', () => {
  const atDex = async <Value>({ server }: Stage, seconds: number, act: () => Promise<Value>): Promise<Value> => {
    const dex = server as Dex;
    await dex.setClock(seconds);
    try {
      return await act();
    } finally {
      await dex.setClock(0);
    }
  };

  test('signs people in up to a minute ahead or behind, and no further', async ({ stage }) => {
    const app = await stage.newApp();
    for (const [seconds, status] of [
      [-50, 'COMPLETED'],
      [50, 'COMPLETED'],
      [-120, 'FAILED'],
      [120, 'FAILED'],
    ] as const) {
      const result = await atDex(stage, seconds, () => stage.signIn(app, ADA));
      expect([seconds, result.status]).toEqual([seconds, status]);
    }
  });
});

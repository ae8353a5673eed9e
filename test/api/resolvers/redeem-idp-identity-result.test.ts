import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { makeKeys } from '../../../local/src/development-keys.ts';
import { identityAttempts, moveIdentityAttemptToEnd } from '../../../src/store/attempts/identity-attempts.ts';
import { associatedData } from '../../../src/vault/associated-data.ts';
import { createOpen } from '../../../src/vault/open.ts';
import { callerOf, createDeps, refusalOf } from '../../kit/caller.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp } from '../../kit/seed.ts';
import { answerSignIn, seedSignIn } from '../../kit/seed-attempts.ts';

test('claims that an api cannot open, because it lacks a new key, are not spent', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const { deps, sealEdge } = await createDeps(sql);
  const resultProof = 'proof'.repeat(9).slice(0, 43);
  const claims = { issuer: 'https://idp.example', idpSub: 'sub', email: null, emailVerified: null, name: null };
  const { attemptId } = await seedSignIn(
    sql,
    seeded,
    { resultProofSha256: createHash('sha256').update(resultProof).digest() },
    async (tx, id) => {
      await answerSignIn(tx, id);
      const sealedClaims = await sealEdge(
        JSON.stringify({ ...claims, pictureUrl: null }),
        associatedData.identityClaims(id),
      );
      await moveIdentityAttemptToEnd(tx, id, { status: 'COMPLETED', sealedClaims });
    },
  );
  const ask = (openEdge = deps.openEdge) =>
    callerOf({ deps: { ...deps, openEdge } }, seeded)('redeemIdpIdentityResult', {
      ...{ id: attemptId, tenantKey: seeded.tenantKey, resultProof },
    });
  const withoutTheKey = await createOpen(JSON.parse((await makeKeys()).VAULT_EDGE_KEYS));
  expect(await refusalOf(ask(withoutTheKey))).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  expect(await identityAttempts.find(sql, attemptId)).toMatchObject({ status: 'COMPLETED' });
  expect(await ask()).toMatchObject({ status: 'COMPLETED', idpSub: 'sub' });
  expect(await refusalOf(ask())).toMatchObject({ code: 'NOT_FOUND' });
});

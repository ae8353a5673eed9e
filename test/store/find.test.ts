import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { findById, findByName } from '../../src/store/find.ts';
import { test } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedContent } from '../kit/seed.ts';
import { seedAttempt, seedSignIn } from '../kit/seed-attempts.ts';

const EVERY_ID = { low: '00000000-0000-0000-0000-000000000000', high: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

test('a short id and a name find ten things of each kind and reason at most', async ({ sql }) => {
  const [tenantKey, externalSubjectId, name, providerAccountId] = [
    randomUUID(),
    randomUUID(),
    randomUUID(),
    randomUUID(),
  ];
  for (let apps = 0; apps < 11; apps += 1) {
    const seeded = await seedApp(sql, { name, tenantKey });
    const scope = { tenantKey, externalSubjectId };
    const connectionId = await seedConnection(sql, seeded, { scope, providerAccountId });
    await seedContent(sql, connectionId, { publishedAt: new Date() });
    await seedAttempt(sql, seeded);
    await seedSignIn(sql, seeded);
  }
  const REASONS = ['of this request', 'has this grant', 'has this post'];
  const counts: Record<string, number> = {};
  for (const { kind, label } of await findById(sql, EVERY_ID)) {
    const reason = REASONS.find((one) => one === label);
    const key = reason ? `${kind} ${reason}` : kind;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  expect(counts).toMatchObject({
    APP: 10,
    ATTEMPT: 10,
    'ATTEMPT of this request': 10,
    CONNECTION: 10,
    'CONNECTION has this grant': 10,
    'CONNECTION has this post': 10,
    ISSUER: 10,
    KEY: 10,
    REGISTRATION: 10,
    SIGN_IN: 10,
    'SIGN_IN of this request': 10,
  });
  for (const asked of [tenantKey, externalSubjectId, name, providerAccountId, 'harbour']) {
    expect(await findByName(sql, asked)).toHaveLength(10);
  }
});

test('a request finds the work that it began, with its app, and nothing of another request', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const correlationId = newId<CorrelationId>();
  const [attempt, signIn] = [
    await seedAttempt(sql, seeded, { correlationId }),
    await seedSignIn(sql, seeded, { correlationId }),
  ];
  await seedAttempt(sql, seeded);
  await seedSignIn(sql, seeded);
  const { appId } = seeded.app;
  const begun = (kind: string, id: string) => ({ kind, id, appId, tenantKey: null, label: 'of this request' });
  expect(await findById(sql, { low: correlationId, high: correlationId })).toEqual([
    begun('ATTEMPT', attempt.attemptId),
    begun('SIGN_IN', signIn.attemptId),
  ]);
});

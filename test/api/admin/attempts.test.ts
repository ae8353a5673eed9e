import { describe, expect } from 'vitest';
import type { AttemptId } from '../../../src/basics/ids.ts';
import { MINUTE_MS, moveClock } from '../../kit/clock.ts';
import { createTestAdmin } from '../../kit/operator.ts';
import { inTransaction, test } from '../../kit/postgres.ts';
import { seedApp, seedConnection, seedScope } from '../../kit/seed.ts';
import {
  answerAttempt,
  answerSignIn,
  endAttempt,
  endSignIn,
  seedAttempt,
  seedSignIn,
} from '../../kit/seed-attempts.ts';

const ATTEMPT = `query ($id: ID!) { attempt(id: $id) { appName tenantKey externalSubjectId provider registrationLabel
  capabilities status resultCode connectionId reconnectConnectionId creatorAction createdAt expiresAt
  finishedAt correlationId workflowId workflowUrl } }`;
const SIGN_IN = `query ($id: ID!) { signIn(id: $id) { appName tenantKey issuer status redeemedAt finishedAt correlationId
  workflowId workflowUrl } }`;
describe('attempts to connect, as an operator sees them', () => {
  test('have the names of their own app and registration, and their stage', async ({ sql }) => {
    const viewer = (await createTestAdmin(sql)).as('VIEWER');
    const [seeded, other] = [await seedApp(sql, { name: 'Mine' }), await seedApp(sql, { name: 'Not mine' })];
    await sql`update registration set label = 'Its own' where registration_id = ${seeded.registrations.PROVIDER_A}`;
    await seedAttempt(sql, other);
    const scope = seeded.newScope();
    const [made, renewed] = [
      await seedConnection(sql, seeded, { scope }),
      await seedConnection(sql, seeded, { scope }),
    ];
    const attempt = await seedAttempt(sql, seeded, {
      scopeId: await seedScope(sql, seeded, scope),
      provider: 'PROVIDER_A',
      reconnectConnectionId: renewed,
    });
    const { attemptId: id, correlationId } = attempt;
    const read = async () => (await viewer(ATTEMPT, { id })).attempt;
    const created = {
      ...{ appName: 'Mine', ...scope, provider: 'PROVIDER_A', registrationLabel: 'Its own', capabilities: ['PROFILE'] },
      ...{ status: 'CREATED', resultCode: null, connectionId: null, reconnectConnectionId: renewed, creatorAction: null },
      ...{ createdAt: attempt.createdAt.toISOString(), expiresAt: attempt.expiresAt.toISOString(), finishedAt: null },
      ...{ correlationId, workflowId: null, workflowUrl: null },
    };
    expect(await read()).toEqual(created);
    await inTransaction(sql, (tx) => answerAttempt(tx, id));
    const workflow = {
      workflowId: `connect/${id}`,
      workflowUrl: expect.stringContaining(encodeURIComponent(`connect/${id}`)),
    };
    expect(await read()).toEqual({ ...created, status: 'EXCHANGING', ...workflow });
    await inTransaction(sql, (tx) => endAttempt(tx, id, { status: 'COMPLETED', resultCode: null, connectionId: made }));
    const end = { status: 'COMPLETED', connectionId: made, finishedAt: expect.any(String), ...workflow };
    expect(await read()).toEqual({ ...created, ...end });
  });
});

test('a sign-in, as an operator sees it, has the names of its own app and issuer, and its stage', async ({ sql }) => {
  const viewer = (await createTestAdmin(sql)).as('VIEWER');
  const seeded = await seedApp(sql, { name: 'Mine', issuer: 'https://mine.example' });
  const other = await seedApp(sql, { name: 'Not mine', issuer: 'https://not-mine.example' });
  await seedSignIn(sql, other);
  const { attemptId: id, correlationId } = await seedSignIn(sql, seeded);
  const late = await seedSignIn(sql, seeded);
  const read = async (of: AttemptId) => (await viewer(SIGN_IN, { id: of })).signIn;
  expect(await read(id)).toEqual({
    ...{ appName: 'Mine', tenantKey: seeded.tenantKey, issuer: 'https://mine.example', status: 'PENDING' },
    ...{ redeemedAt: null, finishedAt: null, correlationId, workflowId: null, workflowUrl: null },
  });
  await inTransaction(sql, async (tx) => {
    await answerSignIn(tx, id);
    await endSignIn(tx, id, { status: 'FAILED' });
  });
  await moveClock(sql, 11 * MINUTE_MS);
  try {
    expect(await read(id)).toMatchObject({
      status: 'FAILED',
      finishedAt: expect.any(String),
      workflowId: `identity/${id}`,
      workflowUrl: expect.stringContaining(encodeURIComponent(`identity/${id}`)),
    });
    expect(await read(late.attemptId)).toMatchObject({ status: 'EXPIRED', finishedAt: null, workflowId: null });
  } finally {
    await moveClock(sql, -11 * MINUTE_MS);
  }
});

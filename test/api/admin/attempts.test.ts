import { describe, expect } from 'vitest';
import type { AttemptId } from '../../../src/basics/ids.ts';
import { businessNow, MINUTE_MS, moveClock } from '../../kit/clock.ts';
import { type Answer, createTestAdmin } from '../../kit/operator.ts';
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

const ATTEMPT = `query ($id: ID!) { attempt(id: $id) { id appId appName tenantKey externalSubjectId provider registrationId
  registrationLabel capabilities status resultCode connectionId reconnectConnectionId creatorAction createdAt expiresAt
  finishedAt correlationId workflowId workflowUrl } }`;
const SIGN_IN = `query ($id: ID!) { signIn(id: $id) { id appId appName tenantKey issuerId issuer status redeemedAt createdAt
  expiresAt finishedAt correlationId workflowId workflowUrl } }`;
const LIST = `query ($filter: AttemptFilter) {
  attempts(filter: $filter) { items { id } }
  attemptCount(filter: $filter) { count }
}`;

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
      id,
      appId: seeded.app.appId,
      appName: 'Mine',
      ...scope,
      provider: 'PROVIDER_A',
      registrationId: seeded.registrations.PROVIDER_A,
      registrationLabel: 'Its own',
      capabilities: ['PROFILE'],
      status: 'CREATED',
      resultCode: null,
      connectionId: null,
      reconnectConnectionId: renewed,
      creatorAction: null,
      createdAt: attempt.createdAt.toISOString(),
      expiresAt: attempt.expiresAt.toISOString(),
      finishedAt: null,
      correlationId,
      workflowId: null,
      workflowUrl: null,
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

  test('are listed and counted by each filter', async ({ sql }) => {
    const viewer = (await createTestAdmin(sql)).as('VIEWER');
    const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
    const scope = seeded.newScope();
    const connectionId = await seedConnection(sql, seeded, { scope });
    const otherConnection = await seedConnection(sql, seeded, { scope });
    const plain = await seedAttempt(sql, seeded);
    const atA = await seedAttempt(sql, seeded, { provider: 'PROVIDER_A' });
    const renewing = await seedAttempt(sql, seeded, { reconnectConnectionId: connectionId });
    const completed = await seedAttempt(sql, seeded, {}, async (tx, id) => {
      await answerAttempt(tx, id);
      await endAttempt(tx, id, { status: 'COMPLETED', resultCode: null, connectionId });
    });
    const elsewhere = await seedAttempt(sql, seeded, { reconnectConnectionId: otherConnection });
    const ofOther = await seedAttempt(sql, other);
    const { appId } = seeded.app;
    const list = async (filter: object) => {
      const { attempts, attemptCount } = await viewer(LIST, { filter });
      expect(attemptCount.count).toBe(attempts.items.length);
      return attempts.items.map(({ id }: Answer) => id);
    };
    const idsOf = (...attempts: { attemptId: AttemptId }[]) => attempts.map(({ attemptId }) => attemptId);
    expect(await list({ appId })).toEqual(idsOf(elsewhere, completed, renewing, atA, plain));
    expect(await list({ appId: other.app.appId })).toEqual(idsOf(ofOther));
    expect(await list({ appId, provider: 'PROVIDER_A' })).toEqual(idsOf(atA));
    expect(await list({ registrationId: seeded.registrations.PROVIDER_A })).toEqual(idsOf(atA));
    expect(await list({ appId, statuses: ['COMPLETED'] })).toEqual(idsOf(completed));
    expect(await list({ appId, statuses: ['COMPLETED', 'CREATED'] })).toHaveLength(5);
    expect(await list({ connectionId })).toEqual(idsOf(completed, renewing));
    await sql`update connect_attempt set last_answer = 'HTTP_500' where attempt_id = ${atA.attemptId}`;
    expect(await list({ appId, lastAnswer: 'HTTP_500' })).toEqual(idsOf(atA));
    expect(await list({ appId, lastAnswer: 'HTTP_503' })).toEqual([]);
  });
});

test('a sign-in, as an operator sees it, has the names of its own app and issuer, and its stage', async ({ sql }) => {
  const viewer = (await createTestAdmin(sql)).as('VIEWER');
  const seeded = await seedApp(sql, { name: 'Mine', issuer: 'https://mine.example' });
  const other = await seedApp(sql, { name: 'Not mine', issuer: 'https://not-mine.example' });
  await seedSignIn(sql, other);
  const begun = await businessNow(sql);
  const { attemptId: id, correlationId } = await seedSignIn(sql, seeded);
  const late = await seedSignIn(sql, seeded);
  const read = async (of: AttemptId) => (await viewer(SIGN_IN, { id: of })).signIn;
  const created = await read(id);
  expect(created).toEqual({
    id,
    appId: seeded.app.appId,
    appName: 'Mine',
    tenantKey: seeded.tenantKey,
    issuerId: seeded.issuerId,
    issuer: 'https://mine.example',
    status: 'PENDING',
    redeemedAt: null,
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
    finishedAt: null,
    correlationId,
    workflowId: null,
    workflowUrl: null,
  });
  const { createdAt, expiresAt } = created;
  expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(begun.getTime());
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(10 * MINUTE_MS);
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

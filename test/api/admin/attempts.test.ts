import { describe, expect } from 'vitest';
import { createTestAdmin } from '../../kit/operator.ts';
import { inTransaction, test } from '../../kit/postgres.ts';
import { seedApp, seedConnection, seedScope } from '../../kit/seed.ts';
import { answerAttempt, endAttempt, seedAttempt } from '../../kit/seed-attempts.ts';

const ATTEMPT = `query ($id: ID!) { attempt(id: $id) { appName tenantKey externalSubjectId provider registrationLabel
  capabilities status resultCode connectionId reconnectConnectionId creatorAction createdAt expiresAt
  finishedAt correlationId workflowId workflowUrl } }`;
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

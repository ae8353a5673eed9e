import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../src/basics/ids.ts';
import type { Attempt } from '../../src/store/attempts/attempts.ts';
import { attachGrant } from '../../src/store/connections/attach-grant.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { findGrantOfAttempt } from '../../src/store/grants/grants.ts';
import { openStage, type Stage } from '../kit/activity-stage.ts';
import { asWorker, test } from '../kit/postgres.ts';

async function attach(
  stage: Stage,
  attempt: Attempt,
  to: { connectionId: ConnectionId; isNew: boolean; capabilities: ('PROFILE' | 'CONTENT_LIST')[] },
) {
  const grant = (await findGrantOfAttempt(stage.sql, attempt.attemptId)) ?? expect.fail('There is no grant.');
  return await inTransaction(asWorker(stage.sql), (tx) => attachGrant(tx, { attempt, grant, ...to }));
}

describe('a reconnected one', () => {
  test('keeps no link to its dead grants, and other connections keep theirs', async ({ sql }) => {
    const stage = await openStage(sql);
    const [own, other] = [await stage.newConnection(), await stage.newConnection()];
    for (const { grantId } of [own, other])
      await sql`update account_grant set status = 'DEAD', sealed_tokens = null where grant_id = ${grantId}`;
    const attempt = await stage.newExchangedAttempt({ scopeId: own.scopeId });
    await attach(stage, attempt, { connectionId: own.connectionId, isNew: false, capabilities: ['PROFILE'] });
    expect(await stage.grant(own.grantId)).toMatchObject({ status: 'DEAD', connectionId: null });
    expect(await stage.grant(other.grantId)).toMatchObject({ status: 'DEAD', connectionId: other.connectionId });
  });
});

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ConnectionId, JobId } from '../../src/basics/ids.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { type Stage, stageTest as test } from '../kit/activity-stage.ts';
import { actsOnOthers } from '../kit/bystanders.ts';
import { runActivity } from '../kit/deps.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { newFolder } from '../kit/folder.ts';
import { replayJournal } from '../kit/journal.ts';
import { asWorker, type Database, inTransaction } from '../kit/postgres.ts';
import { moveExpiredGrantsToDead } from '../kit/seed.ts';

const MAY_LIVE = { status: 'FAILED', creatorAction: 'REMOVE_APP_AT_PROVIDER' };
const ENDED = { status: 'SUCCEEDED', creatorAction: null };

/** Replays a journal with these lines: the database is the backup from before the first one. */
async function replayLines(stage: Stage, lines: readonly { kind: 'CONNECTION' | 'GRANT' | 'APP_KEY'; id: string }[]) {
  const journal = openJournal(newFolder(), stage.deps.mac);
  const [state] = await stage.sql`select last_number from journal_state`;
  const at = new Date().toISOString();
  const first = Number(state?.lastNumber) + 1;
  await journal.append(lines.map((line, index) => ({ number: first + index, entryId: randomUUID(), at, ...line })));
  actsOnOthers(stage.sql, 'account_grant'); // After it, all tokens are doubtful.
  await replayJournal(stage.sql as Database, stage.deps, journal);
}

async function receiptOf(stage: Stage, connectionId: ConnectionId) {
  const [job] = await stage.sql`
    select job_id from disconnect_job where connection_id = ${connectionId} and kind = 'REVOKE'
  `;
  const jobId = job?.jobId as JobId;
  await runActivity(stage.activities.tryRevoke, { jobId });
  return await stage.job('disconnect_job', jobId);
}

/** The platform does not know the backup's tokens any more. */
const refuseTokens = (stage: Stage) => {
  stage.provider.revoke.mockRejectedValue(new ProviderError('TokenStale', 'Stale.'));
  stage.provider.refresh.mockRejectedValue(new ProviderError('GrantDead', 'Spent.'));
};

/** The journal's lines since the backup, when the platform begins to refuse its tokens, and what the receipt says. */
const RESTORES: Readonly<
  Record<string, [('CONNECTION' | 'GRANT' | 'APP_KEY')[], 'never' | 'at once' | 'after a refresh', object]>
> = {
  'a refused revoke is a proof if the grant ended after the disconnect': [['CONNECTION', 'GRANT'], 'at once', ENDED],
  'a disconnect after a lost reconnect revokes with the tokens of the backup': [
    ['GRANT', 'CONNECTION'],
    'never',
    ENDED,
  ],
  'a connection whose tokens are lost asks the person to remove the app': [['APP_KEY'], 'at once', MAY_LIVE],
  'a grant that ended for a reason that is lost may live on': [['GRANT'], 'never', MAY_LIVE],
  'a refresh that works ends all doubt': [['APP_KEY'], 'after a refresh', ENDED],
};

test.for(Object.entries(RESTORES))('after a restore, %s', async ([, [lines, refuses, receipt]], { stage }) => {
  const tokens = newTokens();
  const connection = await stage.newConnection({ tokens });
  const ids = { CONNECTION: connection.connectionId, GRANT: connection.grantId, APP_KEY: randomUUID() };
  await replayLines(
    stage,
    lines.map((kind) => ({ kind, id: ids[kind] })),
  );
  const use = () => runActivity(stage.activities.checkGrant, connection).catch(() => undefined);
  if (refuses === 'after a refresh') await use();
  if (refuses !== 'never') refuseTokens(stage);
  if (refuses === 'at once') await use();
  if (!lines.includes('CONNECTION')) await stage.disconnect(connection);
  expect(await receiptOf(stage, connection.connectionId)).toMatchObject(receipt);
  if (refuses === 'never' && receipt === ENDED)
    expect(stage.provider.revoke.mock.calls[0]?.[1].accessToken.reveal()).toBe(tokens.accessToken.reveal());
});

test('after a fail-over, the end of a refresh token by the clock is no proof', async ({ sql, stage }) => {
  const connection = await stage.newConnection();
  // The tokens were stored on an earlier timeline. `test/failover` proves that a fail-over changes it.
  await sql`
    update account_grant set tokens_timeline = '00000000', refresh_expires_at = business_now()
    where grant_id = ${connection.grantId}
  `;
  await inTransaction(asWorker(sql), (tx) => moveExpiredGrantsToDead(tx, [connection.connectionId]));
  expect(await stage.connectionStatus(connection.connectionId)).toBe('RECONNECT_REQUIRED');
  await stage.disconnect(connection);
  expect(await receiptOf(stage, connection.connectionId)).toMatchObject(MAY_LIVE);
});

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { describe, expect, onTestFinished } from 'vitest';
import type { ConnectionId, JobId } from '../../src/basics/ids.ts';
import { replay } from '../../src/cli/replay.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { failureOf, openStage, type Stage } from '../kit/activity-stage.ts';
import { actsOnOthers } from '../kit/bystanders.ts';
import { runActivity } from '../kit/deps.ts';
import { newTokens } from '../kit/fake-provider.ts';
import type { JOURNAL_KINDS } from '../kit/journal.ts';
import { asMaintenance, type Database, test } from '../kit/postgres.ts';

const MAY_LIVE = { status: 'FAILED', creatorAction: 'REMOVE_APP_AT_PROVIDER' };
const ENDED = { status: 'SUCCEEDED', creatorAction: null };

/** A Temporal that runs nothing. */
const temporal = { workflow: { list: async function* () {} } } as unknown as Client;

/** Replays a journal with these lines: the database is the backup from before the first one. */
async function replayLines(stage: Stage, ...lines: readonly [kind: (typeof JOURNAL_KINDS)[number], id: string][]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const journal = openJournal(folder, stage.deps.mac);
  const [state] = await stage.sql`select last_number from journal_state`;
  const at = new Date().toISOString();
  const first = Number(state?.lastNumber) + 1;
  await journal.append(
    lines.map(([kind, id], index) => ({ number: first + index, entryId: randomUUID(), kind, id, at })),
  );
  actsOnOthers(stage.sql, 'account_grant'); // After it, all tokens are doubtful.
  const sql = asMaintenance(stage.sql as Database);
  const recall = { findDisconnect: async () => undefined };
  await replay({ ...stage.deps, sql, journal, temporal, recall, taskQueue: 'accounts' }, { dryRun: false });
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

describe('after a restore', () => {
  test('a refused revoke is a proof if the grant ended after the disconnect according to the journal', async ({
    sql,
  }) => {
    const stage = await openStage(sql);
    const { connectionId, grantId } = await stage.newConnection();
    refuseTokens(stage);
    await replayLines(stage, ['CONNECTION', connectionId], ['GRANT', grantId]);
    expect(await receiptOf(stage, connectionId)).toMatchObject(ENDED);
  });

  test('a disconnect after a lost reconnect revokes with the tokens of the backup', async ({ sql }) => {
    const stage = await openStage(sql);
    const tokens = newTokens();
    const { connectionId, grantId } = await stage.newConnection({ tokens });
    await replayLines(stage, ['GRANT', grantId], ['CONNECTION', connectionId]);
    expect(await receiptOf(stage, connectionId)).toMatchObject(ENDED);
    expect(stage.provider.revoke.mock.calls[0]?.[1].accessToken.reveal()).toBe(tokens.accessToken.reveal());
  });

  test('the disconnect of a connection with lost tokens asks the person to remove the app', async ({ sql }) => {
    const stage = await openStage(sql);
    const connection = await stage.newConnection();
    await replayLines(stage, ['APP_KEY', randomUUID()]);
    refuseTokens(stage);
    expect(await failureOf(runActivity(stage.activities.checkGrant, connection))).toMatchObject({ type: 'GrantDead' });
    expect(await stage.connectionStatus(connection.connectionId)).toBe('RECONNECT_REQUIRED');
    await stage.disconnect(connection);
    expect(await receiptOf(stage, connection.connectionId)).toMatchObject(MAY_LIVE);
  });

  test('a grant that ended for a reason that is lost may live on', async ({ sql }) => {
    const stage = await openStage(sql);
    const connection = await stage.newConnection({ provider: 'PROVIDER_A' });
    await replayLines(stage, ['GRANT', connection.grantId]);
    expect(await stage.connectionStatus(connection.connectionId)).toBe('RECONNECT_REQUIRED');
    expect((await stage.grant(connection.grantId)).sealedTokens).toBeNull();
    await stage.disconnect(connection);
    expect(await receiptOf(stage, connection.connectionId)).toMatchObject(MAY_LIVE);
  });

  test('a refresh that works ends all doubt', async ({ sql }) => {
    const stage = await openStage(sql);
    const connection = await stage.newConnection();
    await replayLines(stage, ['APP_KEY', randomUUID()]);
    await runActivity(stage.activities.checkGrant, connection);
    refuseTokens(stage);
    await stage.disconnect(connection);
    expect(await receiptOf(stage, connection.connectionId)).toMatchObject(ENDED);
  });
});

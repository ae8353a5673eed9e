import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Kind, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import {
  type AppId,
  type ConnectionId,
  type CorrelationId,
  type GrantId,
  type JobId,
  newId,
} from '../../src/basics/ids.ts';
import { PROGRESS_STEPS, PROGRESS_WAITS } from '../../src/workflows/contract.ts';
import { addRetrySignal, buildDisconnectJobDispatch, getJobWorkflowId } from '../../src/workflows/dispatches.ts';

describe('the words of the query progress', () => {
  const { definitions } = parse(readFileSync(path.join(ROOT, 'admin.graphql'), 'utf8'));
  const valuesOf = (name: string) =>
    definitions.flatMap((definition) =>
      definition.kind === Kind.ENUM_TYPE_DEFINITION && definition.name.value === name
        ? (definition.values ?? []).map((value) => value.name.value)
        : [],
    );

  test('are those of the admin API', () => {
    expect(valuesOf('WorkflowStep')).toEqual(expect.arrayContaining([...PROGRESS_STEPS]));
    expect(valuesOf('WorkflowWait')).toEqual(expect.arrayContaining([...PROGRESS_WAITS]));
  });
});

const connectionId = newId<ConnectionId>();
const grantId = newId<GrantId>();
const revoke = {
  jobId: newId<JobId>(),
  kind: 'REVOKE' as const,
  connectionId,
  grantId,
  run: 0,
  provider: 'PROVIDER_B' as const,
  appId: newId<AppId>(),
  correlationId: newId<CorrelationId>(),
};
const erase = { ...revoke, jobId: newId<JobId>(), kind: 'ERASE' as const, grantId: null };
const receipts = [revoke, erase];

describe('the workflow of a disconnect job', () => {
  test.for([
    ['a revoke', revoke, `disconnect/${connectionId}`],
    ['the erase beside it', erase, `disconnect/${connectionId}`],
    ['a revoke tried again after it had failed', { ...revoke, run: 1 }, `revoke/${grantId}/1`],
    ['a revoke tried again twice', { ...revoke, run: 2 }, `revoke/${grantId}/2`],
    ['a compensation', { ...revoke, kind: 'COMPENSATION' as const, connectionId: null, run: 1 }, `revoke/${grantId}/1`],
    [
      'a compensation tried again',
      { ...revoke, kind: 'COMPENSATION' as const, connectionId: null, run: 2 },
      `revoke/${grantId}/2`,
    ],
  ] as const)('of %s', ([, job, workflowId]) => {
    expect(getJobWorkflowId(job)).toBe(workflowId);
    expect(buildDisconnectJobDispatch(job, receipts)?.workflowId).toBe(workflowId);
  });

  test('has an id for each read, and none without a connection or a grant', () => {
    const { jobId } = revoke;
    const ids = (['SCAN', 'METRICS', 'LOOKUP'] as const).map((kind) => getJobWorkflowId({ ...revoke, kind }));
    expect(ids).toEqual([`scan/${jobId}`, `metrics/${jobId}`, `lookup/${jobId}`]);
    const lost = { ...revoke, connectionId: null, grantId: null };
    expect(() => getJobWorkflowId(lost)).toThrow(`Job ${jobId} names neither a connection nor a grant.`);
    expect(buildDisconnectJobDispatch(lost, receipts)).toBeUndefined();
  });

  test('settles both receipts of a disconnect', () => {
    expect(buildDisconnectJobDispatch(erase, receipts)?.input).toEqual({
      connectionId,
      provider: 'PROVIDER_B',
      revokeJobId: revoke.jobId,
      eraseJobId: erase.jobId,
    });
  });

  test('is undefined if a receipt is missing', () => {
    expect(buildDisconnectJobDispatch(revoke, [revoke])).toBeUndefined();
    expect(
      buildDisconnectJobDispatch(revoke, [revoke, { ...erase, connectionId: newId<ConnectionId>() }]),
    ).toBeUndefined();
  });

  test('is signaled or restarted when an operator retries it', () => {
    const dispatch = buildDisconnectJobDispatch(revoke, receipts);
    expect(dispatch && addRetrySignal(dispatch)).toEqual({ ...dispatch, signal: { name: 'retryNow' }, restart: true });
  });
});

import { describe, expect } from 'vitest';
import { failure, wait } from '../../kit/fake-activities.ts';
import { gate } from '../../kit/gate.ts';
import type { Activities } from '../../kit/temporal.ts';
import { inTurn, readOutlines, readTranscripts, test } from '../transcripts.ts';

const code = 'PROVIDER_UNAVAILABLE';
const ended = async () => ({ ended: true, code, revoke: { status: 'FAILED', code, tokensKept: true } }) as never;
const late = inTurn(failure('RetryLater', { retryAfterSeconds: 30 }));

describe('a disconnect', () => {
  const type = 'disconnect';
  const input = { connectionId: 'c', provider: 'PROVIDER_B', revokeJobId: 'r', eraseJobId: 'e' };
  const REVOKE = ['tryRevokeInline', 'tryRevoke'];
  const ALL = ['purgeContent', ...REVOKE, 'eraseConnection'];
  const END = 'returns undefined';

  test('erases in any case: after a revoke that waits or is given up, and a purge that fails', async ({ temporal }) => {
    const refused = { purgeContent: inTurn(failure('DataRefused')), tryRevoke: late, recordDisconnectFailure: ended };
    const waits = {
      tryRevoke: inTurn(failure('RetryLater', { retryAfterSeconds: 30 }), failure('OwnRateLimit')),
      recordDisconnectFailure: inTurn(wait(30), wait(5, 0), await ended(), wait(60, 2)),
      eraseConnection: inTurn(failure('SchemaMismatch'), undefined),
    };
    const seen = await readOutlines(temporal, [
      { type, input, activities: refused },
      { type, input, activities: waits },
    ]);
    const RECORD = 'recordDisconnectFailure';
    expect(seen).toEqual([
      ['purgeContent', ...REVOKE, RECORD, 'eraseConnection', END],
      [
        ...['purgeContent', ...REVOKE, RECORD, 'waits 30 s', ...REVOKE, RECORD, 'waits 5 s', ...REVOKE, RECORD],
        ...['eraseConnection', RECORD, 'waits 60 s', 'eraseConnection', END],
      ],
    ]);
  });

  test('restarts if its rows are lost, and continues in a new run if its history is long', async ({ temporal }) => {
    const lost = failure('RowLost');
    const [anew, hopeless, unexpected, long] = await readOutlines(temporal, [
      { type, input, activities: { eraseConnection: inTurn(lost, undefined) } },
      { type, input, activities: { purgeContent: inTurn(lost) } },
      { type, input, activities: { purgeContent: inTurn(failure('Unexpected'), undefined) } },
      {
        type,
        input,
        longAt: 9,
        activities: {
          tryRevoke: inTurn(failure('RetryLater'), { status: 'SUCCEEDED', creatorAction: null }),
          recordDisconnectFailure: async () => wait(30),
        },
      },
    ]);
    const again = 'continues as new {"connectionId":"c","provider":"PROVIDER_B","revokeJobId":"r","eraseJobId":"e"}';
    expect(anew).toEqual([...ALL, again, ...ALL, END]);
    expect(hopeless).toEqual(['purgeContent', expect.stringMatching(/^fails: /)]);
    expect(unexpected).toEqual(['purgeContent', ...ALL, END]);
    expect(long?.slice(-8)).toEqual(['recordDisconnectFailure', 'waits 30 s', again, ...ALL, END]);
  });
});

test('a signal during a failing try causes another at once, which is told what it precedes', async ({ temporal }) => {
  const [trying, signaled] = [gate(), gate()];
  let tries = 0;
  const tryRevoke = async () => {
    tries += 1;
    trying.open();
    await signaled.opened;
    if (tries <= 3) throw failure('RetryLater');
    return { status: 'SUCCEEDED', creatorAction: null } as const;
  };
  const told: unknown[] = [];
  const recordDisconnectFailure: Activities['recordDisconnectFailure'] = async ({ failedTry }) => {
    told.push([failedTry.plannedAt, failedTry.early]);
    return wait(3600);
  };
  const [lines] = await readOutlines(temporal, [
    {
      type: 'revokeGrant',
      input: { jobId: 'r', provider: 'PROVIDER_B' },
      activities: { tryRevoke, recordDisconnectFailure },
      meanwhile: async (run) => {
        await trying.opened;
        await run.signal('retryNow');
        signaled.open();
      },
    },
  ]);
  expect(lines).toContain('waits 3600 s, cut short');
  expect(told).toEqual([
    [undefined, undefined],
    ['2026-01-01T00:00:00.000Z', 1],
    [undefined, 1],
  ]);
});

test('a revoke of its own records why it failed', async ({ temporal }) => {
  const [lines] = await readTranscripts(temporal, [
    {
      type: 'revokeGrant',
      input: { jobId: 'r', provider: 'PROVIDER_B' },
      activities: { tryRevoke: late, recordDisconnectFailure: ended },
    },
  ]);
  expect(lines?.slice(2)).toEqual([
    'recordDisconnectFailure local {"jobId":"r","failedTry":{"type":"RetryLater","retryAfterSeconds":30,"answer":null}}',
    'returns undefined',
  ]);
});

import { describe, expect } from 'vitest';
import { failure, wait } from '../../kit/fake-activities.ts';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

const code = 'PROVIDER_UNAVAILABLE';
const ended = (revoke?: object) => async () => ({ ended: true, code, revoke }) as never;
const failed = (tokensKept: boolean) => ended({ status: 'FAILED', code, tokensKept });
const late = inTurn(failure('RetryLater', { retryAfterSeconds: 30 }));

describe('a disconnect', () => {
  const type = 'disconnect';
  const input = { connectionId: 'c', provider: 'PROVIDER_B', revokeJobId: 'r', eraseJobId: 'e' };
  const rows = '"connectionId":"c","revokeJobId":"r","eraseJobId":"e"';
  const PURGE = [
    'PURGE: Purging posts and profile.',
    `purgeContent local (purge posts and profile) {${rows}}`,
    'REVOKE: revoke: trying.',
  ];
  const REVOKE = [
    'tryRevokeInline local (revoke) {"provider":"PROVIDER_B","input":{"jobId":"r"}}',
    'tryRevoke on PROVIDER_B-GRANTS, priority 2 (revoke) {"jobId":"r"}',
  ];
  const ERASE = [
    'ERASE: erase: trying.',
    'eraseConnection local (erase the rest) {"connectionId":"c","eraseJobId":"e"}',
  ];
  const end = (revoke: string) => [`ENDED: Erased. ${revoke} Both receipts stay for 7 days.`, 'returns undefined'];
  const failedTry = (jobId: string, known: string) =>
    `recordDisconnectFailure local (record the failed try) {"jobId":"${jobId}","failedTry":{${known},"answer":null}}`;

  test('its steps, calls and waits', async ({ temporal }) => {
    const [usual, waiting, refused] = await readTranscripts(temporal, [
      { type, input },
      {
        type,
        input: { ...input, revoked: true },
        activities: {
          tryRevoke: inTurn(failure('RetryLater', { retryAfterSeconds: 30 }), failure('OwnRateLimit')),
          recordDisconnectFailure: inTurn(wait(30), { ...wait(5, 0), code: 'PROVIDER_RATE_LIMITED' }, await ended()(), {
            ...wait(60, 2),
            failingSince: null,
            code: 'INTERNAL',
          }),
          eraseConnection: inTurn(failure('SchemaMismatch'), undefined),
        },
      },
      {
        type,
        input,
        activities: {
          purgeContent: inTurn(failure('DataRefused')),
          tryRevoke: late,
          recordDisconnectFailure: failed(true),
        },
      },
    ]);
    expect(usual).toEqual([...PURGE, ...REVOKE, ...ERASE, ...end('The revoke has SUCCEEDED.')]);
    expect(waiting).toEqual([
      PURGE[0],
      `purgeContent local (purge posts and profile) {${rows},"revoked":true}`,
      PURGE[2],
      ...REVOKE,
      failedTry('r', '"type":"RetryLater","retryAfterSeconds":30'),
      expect.stringMatching(
        /^REVOKE, 1 tries, PROVIDER_UNAVAILABLE, NEXT_TRY for .*: revoke: failing since 2025-12-31T00:00:00.000Z, 1 try\. Last PROVIDER_UNAVAILABLE \(RetryLater\)\. Next try UNTIL; the signal retryNow, which takes no input, retries at once\.$/,
      ),
      'waits 30000 ms (next revoke: PROVIDER_UNAVAILABLE)',
      'REVOKE, 1 tries, PROVIDER_UNAVAILABLE: revoke: trying.',
      ...REVOKE,
      failedTry('r', '"type":"OwnRateLimit","retryAfterSeconds":null'),
      expect.stringMatching(
        /^REVOKE, PROVIDER_RATE_LIMITED, RATE_LIMIT for .*: revoke: waiting for our own rate limit\. Next try UNTIL; the signal retryNow, which takes no input, retries at once\.$/,
      ),
      'waits 5000 ms (next revoke: PROVIDER_RATE_LIMITED)',
      'REVOKE, PROVIDER_RATE_LIMITED: revoke: trying.',
      ...REVOKE,
      failedTry('r', '"type":"OwnRateLimit","retryAfterSeconds":null'),
      ...ERASE,
      failedTry('e', '"type":"SchemaMismatch","retryAfterSeconds":null'),
      expect.stringMatching(
        /^ERASE, 2 tries, INTERNAL, NEXT_TRY for .*: erase: failing, 2 tries\. Last INTERNAL \(SchemaMismatch\)\. Next try UNTIL;/,
      ),
      'waits 60000 ms (next erase: INTERNAL)',
      'ERASE, 2 tries, INTERNAL: erase: trying.',
      ERASE[1],
      ...end('The revoke has settled; its job has the result.'),
    ]);
    expect(refused).toEqual([
      ...PURGE,
      ...REVOKE,
      failedTry('r', '"type":"RetryLater","retryAfterSeconds":30'),
      ...ERASE,
      ...end(
        'The revoke has FAILED (PROVIDER_UNAVAILABLE): the grant may still exist. ' +
          'While we keep its tokens, an operator can retry job r in the console or the admin API.',
      ),
    ]);
  });

  test('restarts if its rows are lost on the way, and continues in a new run if its history is long', async ({
    temporal,
  }) => {
    const lost = failure('RowLost');
    const [anew, hopeless, unexpected, long] = await readTranscripts(temporal, [
      { type, input, activities: { eraseConnection: inTurn(lost, undefined) } },
      { type, input, activities: { purgeContent: inTurn(lost) } },
      { type, input, activities: { purgeContent: inTurn(failure('Unexpected'), undefined) } },
      {
        type,
        input,
        longAt: 9,
        activities: {
          tryRevoke: inTurn(failure('RetryLater'), { status: 'SUCCEEDED', creatorAction: 'REMOVE_APP_AT_PROVIDER' }),
          recordDisconnectFailure: async () => wait(30),
        },
      },
    ]);
    const again = 'continues as new {"connectionId":"c","provider":"PROVIDER_B","revokeJobId":"r","eraseJobId":"e"}';
    const run = [...PURGE, ...REVOKE, ...ERASE];
    expect(anew).toEqual([...run, again, ...run, ...end('The revoke has SUCCEEDED.')]);
    expect(hopeless).toEqual([...PURGE.slice(0, 2), expect.stringMatching(/^fails: /)]);
    expect(unexpected?.slice(2, 4)).toEqual([`purgeContent queued (purge posts and profile) {${rows}}`, PURGE[2]]);
    expect(long?.slice(6)).toEqual([
      expect.stringMatching(/^REVOKE, 1 tries, PROVIDER_UNAVAILABLE, NEXT_TRY/),
      'waits 30000 ms (next revoke: PROVIDER_UNAVAILABLE)',
      again,
      ...run,
      ...end('The revoke has SUCCEEDED; we ask the person to remove the app at the platform.'),
    ]);
  });
});

describe('a revoke of its own', () => {
  test('its steps, calls and end', async ({ temporal }) => {
    const type = 'revokeGrant';
    const input = { jobId: 'r', provider: 'PROVIDER_B' };
    const TRY = [
      'REVOKE: revoke: trying.',
      'tryRevokeInline local (revoke) {"provider":"PROVIDER_B","input":{"jobId":"r"}}',
    ];
    const seen = await readTranscripts(temporal, [
      {
        type,
        input,
        activities: {
          tryRevokeInline: async () => ({ tried: true, result: { status: 'SUCCEEDED', creatorAction: null } }) as never,
        },
      },
      { type, input, activities: { tryRevoke: late, recordDisconnectFailure: failed(false) } },
    ]);
    expect(seen).toEqual([
      [...TRY, 'ENDED: The revoke has SUCCEEDED.', 'returns undefined'],
      [
        ...TRY,
        'tryRevoke on PROVIDER_B-GRANTS, priority 2 (revoke) {"jobId":"r"}',
        'recordDisconnectFailure local (record the failed try) ' +
          '{"jobId":"r","failedTry":{"type":"RetryLater","retryAfterSeconds":30,"answer":null}}',
        'ENDED: The revoke has FAILED (PROVIDER_UNAVAILABLE): the grant may still exist. ' +
          'We keep no tokens to retry it with: we ask the person to remove the app.',
        'returns undefined',
      ],
    ]);
  });
});

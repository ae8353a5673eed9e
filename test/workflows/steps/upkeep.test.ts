import { describe, expect } from 'vitest';
import { failure } from '../../kit/fake-activities.ts';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

const input = { connectionId: 'c', provider: 'PROVIDER_B' };
const CHECK = 'checkGrant on PROVIDER_B-GRANTS, priority 5 (upkeep) {"connectionId":"c"}';
const away = failure('DatabaseAway' as never);
const limited = (retryAfterSeconds: number) => failure('OwnRateLimit', { retryAfterSeconds });

describe('upkeep', () => {
  test('its steps, calls and waits', async ({ temporal }) => {
    const type = 'connectionUpkeep';
    const checkGrant = inTurn(limited(6), away, undefined);
    const failing = [
      ['RetryLater', {}],
      ['RetryLater', { retryAfterSeconds: 10 }],
      ['RetryLater', { retryAfterSeconds: 10, isUnconfirmed: true }],
      ['QuotaSpent', {}],
      ['QuotaSpent', { retryAfterSeconds: 100_000 }],
      ['ContractBroken', {}],
      ['PermissionMissing', {}],
      ['GrantDead', {}],
    ] as const;
    const [usual, soon, waiting, ...failed] = await readTranscripts(temporal, [
      { type, input },
      { type, input: { ...input, urgency: 'SOON' } },
      { type, input, activities: { checkGrant } },
      ...failing.map(([failed, known]) => ({
        type,
        input,
        activities: { checkGrant: inTurn(failure(failed, known)) },
      })),
    ]);
    const done = ['ENDED: Upkeep done.', 'returns undefined'];
    expect(usual).toEqual(['UPKEEP', CHECK, ...done]);
    expect(soon).toEqual(['UPKEEP', CHECK.replace('5', '2'), ...done]);
    expect(waiting).toEqual([
      'UPKEEP',
      CHECK,
      'UPKEEP, PROVIDER_RATE_LIMITED, RATE_LIMIT for 6000 ms: Waiting for our own rate limit.',
      'waits 6000 ms (our own rate limit)',
      'UPKEEP, PROVIDER_RATE_LIMITED',
      CHECK,
      'UPKEEP, INTERNAL, NEXT_TRY for 1000 ms: Waiting for our own database.',
      'waits 1000 ms (our own database)',
      'UPKEEP, INTERNAL',
      CHECK,
      ...done,
    ]);
    const postponed = (seconds: number, hasFailed = true) =>
      `postponeUpkeep queued () {"connectionId":"c","seconds":${seconds},"hasFailed":${hasFailed}}`;
    const end = (type: string, postpone: string) => [
      'UPKEEP',
      CHECK,
      `RECORD_END: Upkeep failed: ${type}.`,
      postpone,
      'ENDED',
      'returns undefined',
    ];
    expect(failed).toEqual([
      end('RetryLater', postponed(21_600)),
      end('RetryLater', postponed(21_600)),
      end('RetryLater', postponed(10)), // The row makes a minute of it.
      end('QuotaSpent', postponed(21_600)),
      end('QuotaSpent', postponed(100_000)),
      end('ContractBroken', postponed(86_400)),
      end('PermissionMissing', postponed(86_400, false)),
      ['UPKEEP', CHECK, 'ENDED: Upkeep failed: GrantDead.', 'returns undefined'],
    ]);
  });
});

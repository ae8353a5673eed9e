import { expect, test } from 'vitest';
import type { ProviderName } from '../../src/basics/codes.ts';
import { describeHealth, describeWebhookHealth } from '../../src/domain/work-state/describe-health.ts';

type EndedWorkKind = Parameters<typeof describeWebhookHealth>[0]['ends'][number]['kind'];

const since = new Date('2026-01-01T00:00:00Z');
const ended = (
  kind: EndedWorkKind,
  outcome: string,
  count: number,
  { isRecent = true, provider = 'PROVIDER_A' }: { isRecent?: boolean; provider?: ProviderName | null } = {},
) => ({ kind, provider, outcome, isRecent, count });
const before = { isRecent: false };
const elsewhere = { provider: 'PROVIDER_B' } as const;
const ROW = {
  provider: 'PROVIDER_A',
  openJobs: 0,
  pausedRegistrations: 0,
  rejectedRegistrations: 0,
  doubtedRegistrations: 0,
  spentRegistrations: 0,
  blockedErases: 0,
  waitingConnects: 0,
  waitingPersons: 0,
  connectAnswer: null,
  refusedFrom: null,
  refusedUntil: null,
} as const;
const RUNNING = { workers: 'ANSWERING' } as const;
const NOTHING = { ...RUNNING, connections: [], failing: [], recent: { since, ends: [] } };

test('the ends of a platform are summed by kind, verdict and time, without inconclusive ones', () => {
  const ends = [
    ended('READ', 'SUCCEEDED', 6),
    ended('READ', 'INTERNAL', 1),
    ended('READ', 'PROVIDER_UNAVAILABLE', 3),
    ended('READ', 'CANCELED', 50),
    ended('READ', 'SUCCEEDED', 7, before),
    ended('READ', 'INTERNAL', 1, before),
    ended('CONNECT', 'COMPLETED', 2),
    ended('CONNECT', 'EXCHANGE_FAILED', 1),
    ended('CONNECT', 'COMPLETED', 4, before),
    ended('TOKEN_REFRESH', 'SUCCEEDED', 5),
    ended('REVOKE', 'INTERNAL', 1, before),
    ended('READ', 'INTERNAL', 900, elsewhere),
    ended('READ', 'INTERNAL', 900, { ...elsewhere, ...before }),
    ended('WEBHOOK', 'HTTP_500', 900, { provider: null }),
  ];
  expect(describeHealth(ROW, { ...NOTHING, recent: { since, ends } })).toEqual({
    level: 'DEGRADED',
    reasons: ['4 of 10 reads failed; usually 13 %.'],
    since,
    work: [
      { kind: 'CONNECT', succeeded: 2, failed: 1, usualFailedPercent: 0 },
      { kind: 'READ', succeeded: 6, failed: 4, usualFailedPercent: 13 },
      { kind: 'TOKEN_REFRESH', succeeded: 5, failed: 0, usualFailedPercent: null },
      { kind: 'REVOKE', succeeded: 0, failed: 0, usualFailedPercent: 100 },
    ],
  });
});

test('the connections and failing jobs of a platform are its own', () => {
  const connections = [
    { provider: 'PROVIDER_B', status: 'CONNECTED', count: 900 },
    { provider: 'PROVIDER_A', status: 'SUSPENDED', count: 900 },
    { provider: 'PROVIDER_A', status: 'CONNECTED', count: 3 },
    { provider: 'PROVIDER_B', status: 'RECONNECT_REQUIRED', count: 900 },
    { provider: 'PROVIDER_A', status: 'RECONNECT_REQUIRED', count: 3 },
  ] as const;
  const failing = [
    { provider: 'PROVIDER_A', kind: 'SCAN', code: 'INTERNAL', lastAnswer: null, count: 2 },
    { provider: 'PROVIDER_B', kind: 'SCAN', code: 'INTERNAL', lastAnswer: null, count: 900 },
    { provider: 'PROVIDER_A', kind: 'REVOKE', code: 'PROVIDER_UNAVAILABLE', lastAnswer: 'HTTP_503', count: 3 },
  ] as const;
  const others = { since, lastAnswerCode: null, isClientRefused: false };
  const rows = { ...NOTHING, connections: [...connections], failing: failing.map((one) => ({ ...one, ...others })) };
  expect(describeHealth({ ...ROW, openJobs: 11, spentRegistrations: 1 }, rows)).toMatchObject({
    level: 'FAILING',
    reasons: [
      '3 of 6 connections need a reconnect.',
      '5 of 11 open jobs wait after a failed try.',
      'The daily quota is used up.',
    ],
  });
});

test('the deliveries to apps are summed over all platforms, with their endpoints', () => {
  const ends = [
    ended('WEBHOOK', 'DELIVERED', 8, { provider: null }),
    ended('WEBHOOK', 'HTTP_500', 2, { provider: null }),
    ended('WEBHOOK', 'DELIVERED', 3, { provider: null, isRecent: false }),
    ended('READ', 'INTERNAL', 900),
  ];
  const work = [{ kind: 'WEBHOOK', succeeded: 8, failed: 2, usualFailedPercent: 0 }];
  const endpoints = { enabled: 4, failing: 0, givenUp: 0, disabledHosts: [] };
  expect(describeWebhookHealth({ since, ends }, endpoints, RUNNING)).toEqual({
    level: 'HEALTHY',
    reasons: ['Fewer than 3 failures of a kind are not judged.'],
    since,
    work,
  });
  expect(describeWebhookHealth({ since, ends }, { ...endpoints, failing: 1, givenUp: 2 }, RUNNING)).toEqual({
    level: 'DEGRADED',
    reasons: ['1 of 4 endpoints fail now.', '2 disabled after days of failures.'],
    since,
    work,
  });
  const quiet = { since, ends: [] };
  expect(describeWebhookHealth(quiet, endpoints, RUNNING)).toMatchObject({ level: 'QUIET', reasons: [] });
  expect(describeWebhookHealth(quiet, endpoints, { workers: 'SILENT' })).toMatchObject({
    level: 'FAILING',
    reasons: ['No worker runs: events wait.'],
  });
});

import { countTries, formatSecond, hostOf, joinAnswer } from './format.ts';

type Counted = Readonly<Record<string, string | number>>;

interface PastFailures {
  readonly tries: number;
  readonly lastAnswer: string | null;
  readonly since: string;
  readonly until: string;
}

interface Health {
  readonly level: string;
  readonly reasons: readonly string[];
}

interface Overview {
  readonly webhookHealth: Health;
  readonly recoveredWebhookEndpoints: readonly { readonly url: string; readonly pastFailures: PastFailures | null }[];
  readonly connections: readonly Counted[];
  readonly jobs: readonly Counted[];
  readonly providers: readonly {
    readonly provider: string;
    readonly refusedFrom: string | null;
    readonly refusedUntil: string | null;
    readonly pastFailures: readonly PastFailures[];
    readonly failing: readonly {
      readonly kind: string;
      readonly count: number;
      readonly lastAnswer: string | null;
      readonly lastAnswerCode: string | null;
      readonly failure: { readonly code: string };
    }[];
    readonly health: Health & {
      readonly since: string;
      readonly work: readonly { readonly kind: string; readonly succeeded: number; readonly failed: number }[];
    };
    readonly [count: string]: unknown;
  }[];
  readonly workers: string;
  readonly workerProcesses: readonly { readonly name: string; readonly seenAt: string; readonly silent: boolean }[];
}

const describePast = ({ tries, lastAnswer, since, until }: PastFailures) =>
  `${countTries(tries)} failed between ${formatSecond(since)} and ${formatSecond(until)}${lastAnswer ? ` (${lastAnswer})` : ''}`;

/** `DEGRADED: 1 paused by an operator.` Empty if it is healthy, or nothing has happened. */
const listVerdict = ({ level, reasons }: Health) =>
  level === 'HEALTHY' || level === 'QUIET' ? [] : [`${level}: ${reasons.join(' ')}`];

const describeEnded = ({ kind, succeeded, failed }: Overview['providers'][number]['health']['work'][number]) =>
  succeeded + failed === 0 ? [] : [`${kind} ${succeeded} OK${failed > 0 ? ` ${failed} failed` : ''}`];

/** A line for each worker, provider, status, kind and recovered endpoint. The numbers of a provider that are 0 are left out. */
export const briefOverview = ({
  connections,
  jobs,
  providers,
  workers,
  workerProcesses,
  webhookHealth,
  recoveredWebhookEndpoints,
  ...others
}: Overview) => ({
  ...others,
  workers: workers === 'NOT_KNOWN' ? 'NOT_KNOWN: Temporal did not answer within a second' : workers,
  workerProcesses: workerProcesses.map(
    ({ name, seenAt, silent }) => `${name} ${silent ? `SILENT since ${formatSecond(seenAt)}` : 'reports'}`,
  ),
  connections: connections.map(({ provider, status, count }) => `${provider} ${status} ${count}`),
  jobs: jobs.map(({ kind, status, count }) => `${kind} ${status} ${count}`),
  providers: providers.map(({ provider, refusedFrom, refusedUntil, pastFailures, failing, health, ...numbers }) => {
    const parts = Object.entries(numbers).flatMap(([name, number]) => (number === 0 ? [] : [`${name} ${number}`]));
    const ended = health.work.flatMap(describeEnded);
    if (ended.length > 0) parts.push(`ended since ${formatSecond(health.since)}: ${ended.join('; ')}`);
    for (const { kind, count, lastAnswer, lastAnswerCode, failure } of failing)
      parts.push(`${kind} failing ${count} (${joinAnswer(lastAnswer, lastAnswerCode) ?? failure.code})`);
    if (refusedFrom && refusedUntil)
      parts.push(`refused our client from ${formatSecond(refusedFrom)} to ${formatSecond(refusedUntil)}`);
    parts.push(...pastFailures.map(describePast));
    const shown = [...listVerdict(health), ...(parts.length > 0 ? [parts.join(', ')] : [])];
    return `${provider} ${shown.join(' ') || 'nothing'}`;
  }),
  webhooks: [
    ...listVerdict(webhookHealth),
    // No claim that they work: an operator may only have enabled them again.
    ...recoveredWebhookEndpoints.map(
      ({ url, pastFailures }) => `${hostOf(url)}${pastFailures && ` ${describePast(pastFailures)}`}`,
    ),
  ],
});

import { type Attributes, type Meter, type MeterProvider, metrics } from '@opentelemetry/api';
import type { ErrorCode } from '../basics/codes.ts';
import {
  type DeliveryFailure,
  FINISHED_JOB,
  JOB_KINDS,
  PROVIDER_NAMES,
  type ProviderErrorType,
  type ProviderName,
} from '../basics/codes.ts';
import { DEFECTS, type Defect } from '../basics/failures.ts';
import type { SweepKind, SweepStep } from '../basics/sweeps.ts';

/** Bounds of the buckets of latencies. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Counters and histograms that the code updates as it runs. Every label's values are a closed set of ours: no app, tenant,
 * connection, nor text of a caller or provider. Without a meter provider all of them do nothing.
 */
const create = (meter: Meter) => {
  const latency = (name: string, description: string) =>
    meter.createHistogram(name, { description, advice: { explicitBucketBoundaries: SECONDS } });
  return {
    requests: latency('accounts_http_request_duration_seconds', 'Duration of a request, by route template'),
    operations: meter.createCounter('accounts_graphql_operations_total', {
      description: 'Root fields run, by error code; OK without an error',
    }),
    operationSeconds: latency('accounts_graphql_operation_duration_seconds', 'Duration of a root field'),
    calls: meter.createCounter('accounts_provider_calls_total', {
      description: "Calls of a provider's adapter, by outcome",
    }),
    callSeconds: latency('accounts_provider_call_duration_seconds', "Duration of a call of a provider's adapter"),
    refusals: meter.createCounter('accounts_client_refusals_total', {
      description: 'Reports of a provider that it refuses our client, by the result of our own check',
    }),
    unknownAnswers: meter.createCounter('accounts_provider_unknown_answers_total', {
      description: 'Answers of a provider that no adapter knows, by whether they were known before',
    }),
    issuerCalls: meter.createCounter('accounts_issuer_calls_total', {
      description: 'Calls to OpenID issuers, by outcome',
    }),
    issuerCallSeconds: latency('accounts_issuer_call_duration_seconds', 'Duration of a call to an OpenID issuer'),
    jobsEnded: meter.createCounter('accounts_jobs_ended_total', { description: 'Jobs ended, by kind and status' }),
    failures: meter.createCounter('accounts_activity_failures_total', {
      description: 'Activity failures that are our own fault, by type; each try counts',
    }),
    sweeps: meter.createCounter('accounts_sweep_rounds_total', { description: 'Sweep rounds, by kind and outcome' }),
    lastSweep: meter.createGauge('accounts_sweep_last_success_timestamp_seconds', {
      description: 'Time of the last successful round in this process; take the latest of all processes',
    }),
    sweepPeriod: meter.createGauge('accounts_sweep_period_seconds', { description: 'Interval between rounds' }),
    stepRows: meter.createCounter('accounts_sweep_rows_total', {
      description: 'Due rows, by sweep step and outcome',
    }),
    stepSeconds: latency(
      'accounts_sweep_turn_duration_seconds',
      'Duration of a turn of a sweep step: one batch of rows',
    ),
    stepFailures: meter.createCounter('accounts_sweep_step_failures_total', {
      description: 'Failed turns, by sweep step',
    }),
    lastTurn: meter.createGauge('accounts_sweep_step_last_success_timestamp_seconds', {
      description: 'Time of the last successful turn in this process, by sweep step; take the latest of all processes',
    }),
    webhookTries: meter.createCounter('accounts_webhook_tries_total', {
      description:
        'Tries to deliver a webhook, by outcome: DELIVERED, REFUSED for another answer, or why there was none',
    }),
    webhookSeconds: latency(
      'accounts_webhook_delay_seconds',
      'Time from an event to its delivery, of deliveries that succeed at the first try',
    ),
    reconciled: meter.createCounter('accounts_lost_workflows_total', {
      description: 'Rows that had lost their workflow, by the action of reconciliation',
    }),
  };
};
type Instruments = ReturnType<typeof create>;

let made: { readonly provider: MeterProvider; readonly instruments: Instruments } | undefined;

/** Created once for each installed meter provider: an instrument created before the installation would never count. */
function instruments(): Instruments {
  const provider = metrics.getMeterProvider();
  if (made?.provider !== provider) {
    made = { provider, instruments: create(provider.getMeter('social-account-connection-service')) };
  }
  return made.instruments;
}

export function countRequest(request: { method: string; route: string; status: number }, seconds: number): void {
  instruments().requests.record(seconds, { ...request, status: String(request.status) });
}

/** A root field of the schema served at `endpoint`; `none` if no field ran. */
export interface Operation extends Attributes {
  readonly endpoint: string;
  readonly operation: string;
}

export function countOperation({ endpoint, operation }: Operation, code: ErrorCode | 'OK'): void {
  instruments().operations.add(1, { endpoint, operation, code });
}

export function timeOperation(operation: Operation, seconds: number): void {
  instruments().operationSeconds.record(seconds, operation);
}

/** Starts the counters at 0, so that the first failure is an increase. */
export function initializeOperationCounters(endpoint: string, names: readonly string[]): void {
  const { operations } = instruments();
  for (const operation of [...names, 'none']) {
    for (const code of ['OK', 'UPSTREAM_UNAVAILABLE']) operations.add(0, { endpoint, operation, code });
  }
}

export type ProviderCall =
  | 'exchangeCode'
  | 'refresh'
  | 'adoptTokens'
  | 'probeClient'
  | 'revoke'
  | 'readAccount'
  | 'listContent'
  | 'readContent'
  | 'lookUp';

/** `BrokenOff`: we aborted the call, for example because the worker stops. */
export function countCall(
  called: { provider: ProviderName; call: ProviderCall },
  outcome: 'OK' | ProviderErrorType | 'Unexpected' | 'BrokenOff',
  seconds: number,
): void {
  const { calls, callSeconds } = instruments();
  calls.add(1, { ...called, outcome });
  callSeconds.record(seconds, called);
}

/**
 * The result of our own check. Without a new one, within a minute of the last and where no token request could prove anything: `REFUSED`
 * while the client is known to be refused, otherwise `NOT_TRIED`.
 */
const PROOFS = ['REFUSED', 'TAKEN', 'UNCLEAR', 'NOT_TRIED'] as const;

/** Counts a provider's report that it refuses our client. */
export function countClientRefusal(provider: ProviderName, proof: (typeof PROOFS)[number]): void {
  instruments().refusals.add(1, { provider, proof });
}

/** `FULL`: beyond the number of different ones that are kept. */
const SEEN = ['FIRST', 'AGAIN', 'FULL'] as const;

export function countUnknownAnswers(provider: ProviderName, seen: (typeof SEEN)[number], times: number): void {
  instruments().unknownAnswers.add(times, { provider, seen });
}

const ISSUER_CALLS = ['discover', 'redeem', 'userinfo'] as const;
/** Counted for all issuers together: an issuer's name would identify the app. */
export type IssuerCall = (typeof ISSUER_CALLS)[number];

export function countIssuerCall(call: IssuerCall, outcome: 'OK' | ProviderErrorType, seconds: number): void {
  const { issuerCalls, issuerCallSeconds } = instruments();
  issuerCalls.add(1, { call, outcome });
  issuerCallSeconds.record(seconds, { call });
}

/** Starts the counters at 0. */
export function initializeIssuerCounters(): void {
  const { issuerCalls } = instruments();
  for (const call of ISSUER_CALLS) for (const outcome of ['OK', 'RetryLater']) issuerCalls.add(0, { call, outcome });
}

/** @param delaySeconds since the event, at a first try that succeeded. */
export function countWebhookTry(outcome: 'DELIVERED' | 'REFUSED' | DeliveryFailure, delaySeconds?: number): void {
  const { webhookTries, webhookSeconds } = instruments();
  webhookTries.add(1, { outcome });
  if (delaySeconds !== undefined) webhookSeconds.record(delaySeconds);
}

export function countEndedJob(kind: string, status: 'SUCCEEDED' | 'FAILED' | 'CANCELED'): void {
  instruments().jobsEnded.add(1, { kind, status });
}

/** Counts a failure that is our own fault, by the type that `toFailure` in `activities/failures.ts` gives it. */
export function countFailure(type: Defect): void {
  instruments().failures.add(1, { type });
}

export function countSweep(kind: SweepKind, outcome: 'OK' | 'FAILED'): void {
  const { sweeps, lastSweep } = instruments();
  sweeps.add(1, { kind, outcome });
  if (outcome === 'OK') lastSweep.record(Date.now() / 1000, { kind });
}

export interface SweepTurn {
  /** Rows that needed work and got it. */
  readonly done: number;
  /** Rows that could not be handled. */
  readonly failed: number;
  /** The turn itself failed. */
  readonly hasFailed: boolean;
  readonly seconds: number;
}

/** Counts one batch of rows of one step. */
export function countSweepTurn(step: SweepStep, { done, failed, hasFailed, seconds }: SweepTurn): void {
  const { stepRows, stepSeconds, stepFailures, lastTurn } = instruments();
  stepRows.add(done, { step, outcome: 'OK' });
  stepRows.add(failed, { step, outcome: 'FAILED' });
  stepSeconds.record(seconds, { step });
  stepFailures.add(hasFailed ? 1 : 0, { step });
  if (!hasFailed) lastTurn.record(Date.now() / 1000, { step });
}

export function countReconciled({
  restarted,
  ended,
  failing,
}: Record<'restarted' | 'ended' | 'failing', number>): void {
  const { reconciled } = instruments();
  reconciled.add(restarted, { action: 'RESTARTED' });
  reconciled.add(ended, { action: 'ENDED' });
  reconciled.add(failing, { action: 'LEFT_FAILING' });
}

/** Starts a worker's counters at 0. @param sweeps the interval and the steps of each sweep. */
export function initializeWorkCounters(
  calls: readonly ProviderCall[],
  sweeps: Readonly<Record<SweepKind, { readonly everySeconds: number; readonly steps: readonly SweepStep[] }>>,
): void {
  const made = instruments();
  for (const kind of JOB_KINDS) for (const status of FINISHED_JOB) made.jobsEnded.add(0, { kind, status });
  for (const type of DEFECTS) made.failures.add(0, { type });
  countReconciled({ restarted: 0, ended: 0, failing: 0 });
  initializeIssuerCounters();
  for (const [kind, { everySeconds, steps }] of Object.entries(sweeps)) {
    for (const step of steps) {
      for (const outcome of ['OK', 'FAILED']) made.stepRows.add(0, { step, outcome });
      made.stepFailures.add(0, { step });
    }
    made.sweepPeriod.record(everySeconds, { kind });
    for (const outcome of ['OK', 'FAILED']) made.sweeps.add(0, { kind, outcome });
  }
  for (const provider of PROVIDER_NAMES) {
    for (const proof of PROOFS) made.refusals.add(0, { provider, proof });
    for (const seen of SEEN) made.unknownAnswers.add(0, { provider, seen });
    for (const call of calls) {
      for (const outcome of ['OK', 'RetryLater']) made.calls.add(0, { provider, call, outcome });
    }
  }
}

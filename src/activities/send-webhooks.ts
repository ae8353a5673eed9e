import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { WEBHOOK_TEST } from '../basics/codes.ts';
import type { ConnectionId, WebhookEndpointId } from '../basics/ids.ts';
import type { Log } from '../basics/log.ts';
import type { Secret } from '../basics/secret.ts';
import type { Http } from '../providers/http.ts';
import { classifyDatabaseFailure } from '../store/driver/database-failure.ts';
import { logOutage } from '../store/driver/log-outage.ts';
import { type Database, inTransaction } from '../store/driver/sql.ts';
import type { ToldEvent } from '../store/failovers.ts';
import {
  type DeliveryResult,
  type DueDelivery,
  findWaiting,
  releaseWaiting,
  takeDueDeliveries,
  updateTriedDeliveries,
} from '../store/webhooks/due-deliveries.ts';
import {
  addEndpointFailures,
  disableWebhookEndpoint,
  endEndpointFailure,
  findSendingEndpoint,
  type SendingEndpoint,
} from '../store/webhooks/webhook-endpoints.ts';
import { countWebhookTry } from '../telemetry/instruments.ts';
import { associatedData } from '../vault/associated-data.ts';
import { postWebhook, type WebhookAnswer } from '../webhooks/post-webhook.ts';
import { renderEvent } from '../webhooks/render-event.ts';
import { FAILING_SECONDS, findRequestedPause, findRetryPause, getEndpointPause } from '../webhooks/retry-schedule.ts';
import { signWebhook } from '../webhooks/sign-webhook.ts';
import type { WaitingDeliveries } from '../workflows/results.ts';
import type { Deps } from './deps.ts';
import { keepInHeartbeats } from './provider-activity.ts';

export interface WebhookDeps extends Pick<Deps, 'clock'> {
  readonly sql: Database;
  readonly vault: Pick<Deps['vault'], 'openEdge'>;
  readonly webhookHttp: Pick<Http, 'post'>;
  readonly log: Log;
  /** 15 seconds by default. */
  readonly webhookTimeoutMs?: number;
}

/** The most concurrent requests to one endpoint, and the most that may fail before a pause. */
const AT_ONCE = 10;
/** The most deliveries taken together. The first take has `AT_ONCE`, and each that an endpoint accepts whole doubles the next. */
const MOST_TAKEN = 160;
/** No further request of a take begins after this time: its lease must outlast the last time-out. */
const TAKE_MS = 10_000;
/** No further deliveries are taken after this time. Those taken end within 15 seconds. */
const ROUND_MS = 30_000;
/** A round ends after events of so many connections, because history stores its result. */
const MOST_TOLD = 1_000;

interface SentRound {
  /** The seconds until the next try, 0 if some are due; null if nothing waits, or the endpoint is disabled or gone. */
  readonly waitSeconds: number | null;
  readonly paused: boolean;
  readonly waiting?: WaitingDeliveries;
  /** The last event of each connection that the endpoint may have received: the database may lose them in a fail-over (D-340). */
  readonly told?: readonly ToldEvent[];
}

export const createSendWebhookActivities = (deps: WebhookDeps) => ({
  /** Tries the due deliveries of an endpoint, until none is due, the endpoint is paused or the time is up. */
  async sendDueWebhooks({ endpointId }: { endpointId: WebhookEndpointId }): Promise<SentRound> {
    const told = recallTold();
    try {
      const round = await sendRound(deps, endpointId, told);
      return told.size === 0 ? round : { ...round, told: [...told] };
    } catch (error) {
      if (told.size === 0 || classifyDatabaseFailure(error) !== 'AWAY') throw error;
      // A failure has no result, and this database may come back without the reported events.
      logOutage(deps.log, error);
      return { waitSeconds: OUTAGE_SECONDS, paused: false, told: [...told] };
    }
  },
});

/** The pause between two tries while our own database is away. */
const OUTAGE_SECONDS = 2;

/** The number of the last sent event, by connection. */
type Told = Map<ConnectionId, number>;

/** An earlier attempt of the same activity may have died with its worker. */
function recallTold(): Told {
  const { heartbeatDetails } = activityInfo();
  return new Map(Array.isArray(heartbeatDetails) ? (heartbeatDetails as ToldEvent[]) : []);
}

async function sendRound(
  deps: WebhookDeps,
  endpointId: WebhookEndpointId,
  told: Told,
): Promise<Omit<SentRound, 'told'>> {
  const endsAtMs = performance.now() + ROUND_MS;
  const openSecrets = createSecretOpener(deps);
  let most = AT_ONCE;
  for (;;) {
    // Read again each time: an operator may have changed or disabled it, or replaced its secret.
    const endpoint = await findSendingEndpoint(deps.sql, endpointId);
    if (endpoint === undefined) return { waitSeconds: null, paused: false };
    const wasPaused = endpoint.pausedUntil !== null;
    const pausedUntil = endpoint.pausedUntil?.getTime() ?? 0;
    const nowMs = endpoint.now.getTime();
    const isPaused = pausedUntil > nowMs;
    const isOver = performance.now() >= endsAtMs || told.size >= MOST_TOLD;
    const due = isPaused || isOver ? [] : await takeDueDeliveries(deps.sql, endpointId, wasPaused ? 1 : most);
    if (due.length === 0) {
      const found = await findWaiting(deps.sql, endpointId);
      if (found === undefined) return { waitSeconds: null, paused: false };
      const { nextRetryAt, since, ...waiting } = found;
      const waitMs = Math.max(nextRetryAt.getTime(), pausedUntil) - nowMs;
      return {
        // Another transaction holds the due rows that were not taken: asking again at once would loop.
        waitSeconds: Math.max(isOver ? 0 : 1, Math.ceil(waitMs / 1_000)),
        paused: isPaused,
        waiting: { ...waiting, since: since.toISOString() },
      };
    }
    noteTold(told, due);
    const secrets = await openSecrets(endpoint);
    const tries = await tryAll(deps, { url: endpoint.url, secrets }, due);
    await recordTries(deps, endpointId, endpoint, tries);
    most = tries.every(isAccepted) ? Math.min(2 * most, MOST_TAKEN) : AT_ONCE;
    cancellationSignal().throwIfAborted();
  }
}

/** Records them before they are sent, because this worker may crash before the answers. */
function noteTold(told: Told, due: readonly DueDelivery[]): void {
  for (const { connectionId, sequence } of due) {
    if (connectionId !== null && sequence !== null)
      told.set(connectionId, Math.max(sequence, told.get(connectionId) ?? 0));
  }
  if (told.size > 0) keepInHeartbeats([...told]);
}

/** Our own shutdown ended the try, so whether it arrived is unknown, or it never began: it is due again at once. */
const BROKEN_OFF = 'BROKEN_OFF';

interface Try {
  readonly delivery: DueDelivery;
  readonly durationMs: number | null;
  readonly answer: WebhookAnswer | typeof BROKEN_OFF;
}

/** Opens the secrets of an endpoint, each once in a round. Leaves out those that no key opens: one of two is enough. */
function createSecretOpener({ vault, log }: WebhookDeps) {
  const opened = new Map<string, Secret>();
  return async ({ secrets }: SendingEndpoint): Promise<Secret[]> => {
    for (const { secretId, sealedSecret } of secrets) {
      if (opened.has(sealedSecret)) continue;
      try {
        opened.set(sealedSecret, await vault.openEdge(sealedSecret, associatedData.webhookSecret(secretId)));
      } catch (error) {
        log.error('Webhook secret not opened', { error });
      }
    }
    return secrets.flatMap(({ sealedSecret }) => opened.get(sealedSecret) ?? []);
  };
}

/** Sends the deliveries, `AT_ONCE` at a time, until one is not accepted or the time is up. The others end as BROKEN_OFF. */
async function tryAll(
  deps: WebhookDeps,
  endpoint: { readonly url: string; readonly secrets: readonly Secret[] },
  due: readonly DueDelivery[],
): Promise<Try[]> {
  const signal = cancellationSignal();
  const endsAtMs = performance.now() + TAKE_MS;
  const waiting = [...due];
  const tries: Try[] = [];
  let accepts = true;
  const sendInTurn = async () => {
    while (accepts && !signal.aborted && performance.now() < endsAtMs) {
      const delivery = waiting.shift();
      if (delivery === undefined) return;
      const ended = await tryOne(deps, endpoint, delivery, signal);
      tries.push(ended);
      accepts &&= isAccepted(ended);
    }
  };
  const turns = await Promise.allSettled(Array.from({ length: AT_ONCE }, sendInTurn));
  const rejected = turns.find((turn) => turn.status === 'rejected');
  if (rejected !== undefined) throw rejected.reason;
  return [...tries, ...waiting.map((delivery): Try => ({ delivery, durationMs: null, answer: BROKEN_OFF }))];
}

async function tryOne(
  deps: WebhookDeps,
  { url, secrets }: { readonly url: string; readonly secrets: readonly Secret[] },
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<Try> {
  if (secrets.length === 0) return { delivery, durationMs: 0, answer: { failure: 'NO_SECRET' } };
  const body = renderEvent(delivery);
  // The time of this try: receivers refuse old timestamps.
  const seconds = Math.floor(deps.clock.now().getTime() / 1_000);
  const headers = signWebhook({ id: delivery.eventId, seconds, body }, secrets);
  const startedMs = performance.now();
  try {
    const answer = await postWebhook(
      deps.webhookHttp,
      { url, headers, body, signal },
      deps.clock.now,
      deps.webhookTimeoutMs,
    );
    return { delivery, durationMs: Math.round(performance.now() - startedMs), answer };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { delivery, durationMs: null, answer: BROKEN_OFF };
  }
}

const findStatus = (answer: Try['answer']) => (answer !== BROKEN_OFF && 'status' in answer ? answer.status : undefined);
const isAccepted = ({ answer }: Try) => Math.floor((findStatus(answer) ?? 0) / 100) === 2;
const isGone = ({ answer }: Try) => findStatus(answer) === 410;
const hasEnded = ({ answer }: Try) => answer !== BROKEN_OFF;

/** Records the tries and the health of the endpoint. One success among them is enough for its health. */
async function recordTries(
  { sql, log }: WebhookDeps,
  endpointId: WebhookEndpointId,
  endpoint: SendingEndpoint,
  tries: readonly Try[],
): Promise<void> {
  const ended = tries.filter(hasEnded);
  for (const each of ended) countTry(each, endpoint.now);
  const failed = ended.filter((each) => !isAccepted(each));
  const works = failed.length < ended.length;
  const pauses = failed.map(({ answer }) => findPause(answer) ?? 0);
  const pauseSeconds = Math.max(0, ...pauses, works ? 0 : getEndpointPause(endpoint.failures + failed.length));
  const reason = findDisabledReason(endpoint, failed, works);
  const isTested = ended.some((each) => each.delivery.type === WEBHOOK_TEST && isAccepted(each));
  await inTransaction(sql, async (tx) => {
    // Locks the endpoint first, as all code does.
    if (works) await endEndpointFailure(tx, endpointId);
    // Not after any other success (D-877).
    if (isTested) await releaseWaiting(tx, endpointId);
    if (failed.length > 0 && (!works || pauseSeconds > 0))
      await addEndpointFailures(tx, endpointId, { failures: works ? 0 : failed.length, pauseSeconds });
    if (reason !== undefined) await disableWebhookEndpoint(tx, endpointId, reason);
    await updateTriedDeliveries(tx, tries.map(toResult));
  });
  if (reason !== undefined) log.warn('Webhook endpoint disabled', { endpointId, reason });
  else logHealth(log, endpointId, endpoint, { works, failed });
}

/** Logs the first failed try of an endpoint and its recovery, not each try: the page of the endpoint has them. */
function logHealth(
  log: Log,
  endpointId: WebhookEndpointId,
  { appId, failingSince, failures }: SendingEndpoint,
  { works, failed }: { works: boolean; failed: readonly Try[] },
): void {
  const first = failed[0];
  if (works && failingSince !== null)
    log.info('A webhook endpoint accepts events again', {
      ...{ endpointId, appId, tries: failures },
      failingSince: failingSince.toISOString(),
    });
  if (works || failingSince !== null || first === undefined) return;
  const { status, failure } = toResult(first);
  log.warn('A webhook endpoint has begun to fail: its events wait and are sent again', {
    ...{ endpointId, appId },
    lastAnswer: failure ?? `HTTP_${status}`,
  });
}

function findDisabledReason(
  { failingSince, now }: SendingEndpoint,
  failed: readonly Try[],
  works: boolean,
): 'GONE' | 'FAILING' | undefined {
  if (failed.some(isGone)) return 'GONE';
  const failingMs = failingSince === null ? 0 : now.getTime() - failingSince.getTime();
  return failed.length > 0 && !works && failingMs >= FAILING_SECONDS * 1_000 ? 'FAILING' : undefined;
}

const findPause = (answer: Try['answer']) =>
  answer !== BROKEN_OFF && 'status' in answer ? findRequestedPause(answer.status, answer.retryAfterSeconds) : undefined;

function toResult(each: Try): DeliveryResult {
  const { deliveryId, tries } = each.delivery;
  const { answer, durationMs } = each;
  const failure = answer !== BROKEN_OFF && 'failure' in answer ? answer.failure : null;
  const result = { deliveryId, tries, status: findStatus(answer) ?? null, failure, durationMs };
  if (isAccepted(each)) return { ...result, outcome: 'DELIVERED', pauseSeconds: null };
  if (isGone(each)) return { ...result, outcome: 'FAILED', pauseSeconds: null };
  const postponed = hasEnded(each) ? findPause(answer) : 0;
  if (postponed !== undefined) return { ...result, outcome: 'POSTPONED', pauseSeconds: postponed };
  const pauseSeconds = findRetryPause(tries);
  return pauseSeconds === undefined
    ? { ...result, outcome: 'FAILED', pauseSeconds: null }
    : { ...result, outcome: 'RETRY', pauseSeconds };
}

function countTry(each: Try, now: Date): void {
  const { delivery, answer } = each;
  if (answer === BROKEN_OFF) return;
  if ('failure' in answer) countWebhookTry(answer.failure);
  else if (!isAccepted(each)) countWebhookTry('REFUSED');
  else {
    const delayMs = now.getTime() - delivery.occurredAt.getTime();
    countWebhookTry('DELIVERED', delivery.tries === 1 ? delayMs / 1_000 : undefined);
  }
}

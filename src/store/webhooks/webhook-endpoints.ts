import { z } from 'zod';
import {
  DISABLED_REASONS,
  type DisabledReason,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '../../basics/codes.ts';
import { AppId, WebhookEndpointId, WebhookSecretId } from '../../basics/ids.ts';
import type { Fragment, Sql, Transaction } from '../driver/sql.ts';
import { Due, type DuePage, pageClause } from '../due.ts';
import { aDayAgo } from '../ended-work.ts';
import type { NewestKey } from '../newest-key.ts';
import { LEAST_TRIES } from '../overview.ts';
import { columnsOf, findRow, getRow, getValue, hasRows, listRows } from '../rows.ts';
import { type Changes, updateRow } from '../update-row.ts';

const SecretState = z.object({
  secretId: WebhookSecretId,
  createdAt: z.coerce.date(),
  /** It signs until then; null until it is retired. */
  retiresAt: z.coerce.date().nullable(),
});
const Endpoint = z.object({
  endpointId: WebhookEndpointId,
  appId: AppId,
  url: z.string(),
  eventTypes: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
  enabled: z.boolean(),
  disabledReason: z.enum(DISABLED_REASONS).nullable(),
  disabledAt: z.date().nullable(),
  /** The first failed try since the last success. */
  failingSince: z.date().nullable(),
  /** Failed tries since the last success. */
  failures: z.number(),
  /** The cause of the last failed try of a delivery that waits; of an endpoint that answered 410, that answer. */
  lastAnswer: z.string().nullable(),
  /** Its last failure, if that ended lately. */
  pastFailures: z
    .object({ tries: z.number(), lastAnswer: z.string().nullable(), since: z.coerce.date(), until: z.coerce.date() })
    .nullable(),
  /** The deliveries that wait, counted up to `MOST_WAITING`. Null if none does. */
  waiting: z.object({ count: z.number(), since: z.coerce.date() }).nullable(),
  /** No delivery is tried before this instant. */
  pausedUntil: z.date().nullable(),
  createdAt: z.date(),
  /** The secrets that sign now, oldest first. */
  secrets: z.array(SecretState),
});
/** A URL of an app to which the service sends events. */
export type WebhookEndpoint = z.infer<typeof Endpoint>;

/** Most endpoints of one app. An event costs one delivery for each. @internal */
const MAX_ENDPOINTS = 10;
/** Most secrets of an endpoint that sign at one time. */
const MAX_ACTIVE_SECRETS = 2;

/** The most that a page of an endpoint counts: a disabled one may have a million. */
const MOST_WAITING = 1_000;

const isActive = (sql: Sql) => sql`coalesce(retires_at > business_now(), true)`;

/** As in the index webhook_delivery_failed. No delivery waits for its next try after the answer 410. */
const lastAnswerOf = (sql: Sql) => sql`case when e.disabled_reason = 'GONE' then 'HTTP_410' else (
  select coalesce('HTTP_' || last_http_status, last_failure) from webhook_delivery d
  where d.endpoint_id = e.endpoint_id and d.status = 'PENDING' and e.failing_since is not null
    and (last_http_status is not null or last_failure is not null)
  order by last_tried_at desc limit 1
) end`;

/** Whether its last failure ended lately. */
const hasRecovered = (sql: Sql) => sql`(e.failing_since is null and e.failed_until >= ${aDayAgo(sql)})`;

const columns = columnsOf('e', Endpoint, {
  lastAnswer: lastAnswerOf,
  pastFailures: (sql) => sql`(
    case when ${hasRecovered(sql)} then jsonb_build_object('tries', failed_tries, 'lastAnswer', failed_answer,
      'since', failed_from, 'until', failed_until) end
  )`,
  waiting: (sql) => sql`(
    select jsonb_build_object('count', count(*), 'since', min(occurred_at)) from (
      select occurred_at from webhook_delivery d where d.endpoint_id = e.endpoint_id and d.status = 'PENDING'
      order by occurred_at, delivery_id limit ${MOST_WAITING}
    ) oldest having count(*) > 0
  )`,
  secrets: (sql) => sql`(
    select coalesce(jsonb_agg(jsonb_build_object('secretId', secret_id, 'createdAt', s.created_at, 'retiresAt', retires_at)
      order by s.created_at, secret_id), '[]')
    from webhook_secret s where s.endpoint_id = e.endpoint_id and ${isActive(sql)}
  )`,
});

/** Oldest first; an app has few. */
export async function listWebhookEndpoints(sql: Sql, appId: AppId): Promise<WebhookEndpoint[]> {
  return await listRows(sql, Endpoint)`
    select ${columns(sql)} from webhook_endpoint e where app_id = ${appId} order by created_at, endpoint_id
  `;
}

const Counts = z.object({
  enabled: z.number(),
  failing: z.number(),
  /** Disabled because they failed for days. */
  givenUp: z.number(),
  /** The hosts of disabled ones that answered 410, or for which events wait, the last disabled first. */
  disabledHosts: z.array(z.string()).transform((urls) => [...new Set(urls.map((url) => new URL(url).host))]),
});

/** Counts those of all apps. */
export const countWebhookEndpoints = (sql: Sql): Promise<z.infer<typeof Counts>> =>
  getRow(sql, Counts)`
    select count(*) filter (where enabled)::int as enabled,
      count(*) filter (where enabled and failing_since is not null)::int as failing,
      count(*) filter (where disabled_reason = 'FAILING')::int as given_up,
      coalesce(array_agg(url order by disabled_at desc, endpoint_id) filter (where not enabled and (
        disabled_reason = 'GONE'
        or exists (select from webhook_delivery d where d.endpoint_id = e.endpoint_id and status = 'PENDING')
      )), '{}') as disabled_hosts
    from webhook_endpoint e
  `;

/** Those of all apps that were disabled or fail at the moment, the newest first. */
export async function listTroubledWebhookEndpoints(
  sql: Sql,
  { limit, after }: { limit: number; after: NewestKey | null },
): Promise<WebhookEndpoint[]> {
  return await listRows(sql, Endpoint)`
    select ${columns(sql)} from webhook_endpoint e
    where (not enabled or failing_since is not null)
      ${after === null ? sql`` : sql`and (created_at, endpoint_id) < (${after.at}, ${after.id})`}
    order by created_at desc, endpoint_id desc limit ${limit}
  `;
}

/** The most that the overview names. */
const MOST_RECOVERED = 5;

/** The enabled ones of all apps whose failure ended lately, the last recovery first. */
export async function listRecoveredWebhookEndpoints(sql: Sql): Promise<WebhookEndpoint[]> {
  return await listRows(sql, Endpoint)`
    select ${columns(sql)} from webhook_endpoint e where enabled and ${hasRecovered(sql)}
    order by failed_until desc, endpoint_id limit ${MOST_RECOVERED}
  `;
}

export async function findWebhookEndpoint(
  sql: Sql,
  endpointId: WebhookEndpointId,
): Promise<WebhookEndpoint | undefined> {
  return await findRow(sql, Endpoint)`select ${columns(sql)} from webhook_endpoint e where endpoint_id = ${endpointId}`;
}

const Target = Endpoint.pick({ endpointId: true, url: true, enabled: true }).extend({
  /** Null unless it is paused now. */
  pauseEndsAt: z.date().nullable(),
});
/** An endpoint, as a delivery to it needs it. */
export type DeliveryTarget = z.infer<typeof Target>;

/** Those endpoints that exist. */
export async function listDeliveryTargets(
  sql: Sql,
  endpointIds: readonly WebhookEndpointId[],
): Promise<ReadonlyMap<WebhookEndpointId, DeliveryTarget>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await listRows(sql, Target)`
    select endpoint_id, url, enabled, case when paused_until > business_now() then paused_until end as pause_ends_at
    from webhook_endpoint where endpoint_id = any(${[...endpointIds]}::uuid[])
  `;
  return new Map(rows.map((row) => [row.endpointId, row]));
}

/** @returns `MISSING` if there is no such app, `TOO_MANY` if it has ten endpoints. */
export async function insertWebhookEndpoint(
  tx: Transaction,
  endpoint: { endpointId: WebhookEndpointId; appId: AppId; url: string; eventTypes: readonly WebhookEventType[] },
): Promise<'INSERTED' | 'MISSING' | 'TOO_MANY'> {
  const [app] = await tx`select from app where app_id = ${endpoint.appId} for no key update`;
  if (!app) return 'MISSING';
  const count = await getValue(tx, z.number())`
    select count(*)::int from webhook_endpoint where app_id = ${endpoint.appId}
  `;
  if (count >= MAX_ENDPOINTS) return 'TOO_MANY';
  await tx`
    insert into webhook_endpoint (endpoint_id, app_id, url, event_types)
    values (${endpoint.endpointId}, ${endpoint.appId}, ${endpoint.url}, ${[...endpoint.eventTypes]})
  `;
  return 'INSERTED';
}

/** @returns whether the endpoint exists. */
export const updateWebhookEndpoint = (
  sql: Sql,
  endpointId: WebhookEndpointId,
  changes: Changes<{ url: string; eventTypes: readonly WebhookEventType[] }>,
): Promise<boolean> => updateRow(sql, 'webhook_endpoint', { endpointId }, changes);

/**
 * Enables an endpoint, and ends its failure. The caller dispatches its workflow, which sends the backlog. A pause that is
 * over makes it send one delivery at a time until one is accepted: an endpoint that still answers 410 would fail many.
 * @returns whether the endpoint exists.
 */
export async function enableWebhookEndpoint(tx: Transaction, endpointId: WebhookEndpointId): Promise<boolean> {
  return await hasRows(tx)`
    update webhook_endpoint e set enabled = true, disabled_reason = null, disabled_at = null, ${endFailure(tx)},
      paused_until = business_now()
    where endpoint_id = ${endpointId}
  `;
}

/** Disables an endpoint. The first reason stays. @returns whether it was enabled. */
export async function disableWebhookEndpoint(
  sql: Sql,
  endpointId: WebhookEndpointId,
  reason: DisabledReason,
): Promise<boolean> {
  return await hasRows(sql)`
    update webhook_endpoint set enabled = false, disabled_reason = ${reason}, disabled_at = business_now()
    where endpoint_id = ${endpointId} and enabled
  `;
}

/** Deletes an endpoint and its secrets. Its deliveries stay in the list until they are 30 days old; none is tried. */
export async function deleteWebhookEndpoint(sql: Sql, endpointId: WebhookEndpointId): Promise<boolean> {
  return await hasRows(sql)`delete from webhook_endpoint where endpoint_id = ${endpointId}`;
}

/** @returns `MISSING` if there is no such endpoint, `TOO_MANY` if two secrets are active. */
export async function insertWebhookSecret(
  tx: Transaction,
  secret: { secretId: WebhookSecretId; endpointId: WebhookEndpointId; sealedSecret: string },
): Promise<'INSERTED' | 'MISSING' | 'TOO_MANY'> {
  const [endpoint] = await tx`select from webhook_endpoint where endpoint_id = ${secret.endpointId} for no key update`;
  if (!endpoint) return 'MISSING';
  const count = await getValue(tx, z.number())`
    select count(*)::int from webhook_secret where endpoint_id = ${secret.endpointId} and ${isActive(tx)}
  `;
  if (count >= MAX_ACTIVE_SECRETS) return 'TOO_MANY';
  await tx`
    insert into webhook_secret (secret_id, endpoint_id, sealed_secret)
    values (${secret.secretId}, ${secret.endpointId}, ${secret.sealedSecret})
  `;
  return 'INSERTED';
}

/**
 * Lets a secret sign for `seconds` more, 0 for no longer.
 * @returns `LAST` if no other secret would be left, because unsigned events are never sent; `MISSING` if it does not sign.
 */
export async function retireWebhookSecret(
  tx: Transaction,
  endpointId: WebhookEndpointId,
  secretId: WebhookSecretId,
  seconds: number,
): Promise<'RETIRED' | 'LAST' | 'MISSING'> {
  await tx`select from webhook_endpoint where endpoint_id = ${endpointId} for no key update`;
  const active = await tx`
    select secret_id, retires_at from webhook_secret where endpoint_id = ${endpointId} and ${isActive(tx)}
  `;
  if (!active.some((row) => row.secretId === secretId)) return 'MISSING';
  if (!active.some((row) => row.secretId !== secretId && row.retiresAt === null)) return 'LAST';
  await tx`
    update webhook_secret set retires_at = least(retires_at, business_now() + make_interval(secs => ${seconds}))
    where secret_id = ${secretId}
  `;
  return 'RETIRED';
}

const SendingEndpoint = z.object({
  appId: AppId,
  url: z.string(),
  failures: z.number(),
  failingSince: z.date().nullable(),
  /** After it, one delivery at a time tests whether the endpoint works. Null once it accepts one. */
  pausedUntil: z.date().nullable(),
  now: z.date(),
  /** Oldest first. */
  secrets: z.array(z.object({ secretId: WebhookSecretId, sealedSecret: z.string() })),
});
/** An enabled endpoint, with the data for a try. */
export type SendingEndpoint = z.infer<typeof SendingEndpoint>;

/** @returns undefined if it is missing or disabled. */
export async function findSendingEndpoint(
  sql: Sql,
  endpointId: WebhookEndpointId,
): Promise<SendingEndpoint | undefined> {
  return await findRow(sql, SendingEndpoint)`
    select app_id, url, failures, failing_since, paused_until, business_now() as now,
      (select coalesce(jsonb_agg(jsonb_build_object('secretId', secret_id, 'sealedSecret', sealed_secret)
          order by s.created_at, secret_id), '[]')
        from webhook_secret s where s.endpoint_id = e.endpoint_id and ${isActive(sql)}) as secrets
    from webhook_endpoint e where endpoint_id = ${endpointId} and enabled
  `;
}

/** Ends the failure of `e`, and keeps a trace of it unless it was too short. */
const endFailure = (sql: Sql) => {
  const keep = (column: string, value: Fragment) =>
    sql`${sql(column)} = case when failures >= ${LEAST_TRIES} then ${value} else ${sql(column)} end`;
  return sql`
    ${keep('failed_from', sql`failing_since`)}, ${keep('failed_until', sql`business_now()`)},
    ${keep('failed_tries', sql`failures`)}, ${keep('failed_answer', lastAnswerOf(sql))},
    failing_since = null, failures = 0
  `;
};

/** Records that an endpoint accepts deliveries, before these are recorded. Writes only if it failed before. */
export async function endEndpointFailure(sql: Sql, endpointId: WebhookEndpointId): Promise<void> {
  await sql`
    update webhook_endpoint e set ${endFailure(sql)}, paused_until = null
    where endpoint_id = ${endpointId} and (failing_since is not null or paused_until is not null)
  `;
}

/**
 * Records failed tries of an endpoint.
 * @param failures 0 if it accepted another delivery beside them.
 * @param pauseSeconds 0 if it may be tried at once.
 */
export async function addEndpointFailures(
  sql: Sql,
  endpointId: WebhookEndpointId,
  { failures, pauseSeconds }: { failures: number; pauseSeconds: number },
): Promise<void> {
  await sql`
    update webhook_endpoint set failures = failures + ${failures},
      failing_since = ${failures === 0 ? sql`failing_since` : sql`coalesce(failing_since, business_now())`},
      paused_until = ${pauseSeconds === 0 ? sql`paused_until` : sql`greatest(paused_until, business_now() + make_interval(secs => ${pauseSeconds}))`}
    where endpoint_id = ${endpointId}
  `;
}

const OverdueEndpoint = Due.extend({ endpointId: WebhookEndpointId, appId: AppId });
/** An endpoint with a delivery that its workflow should have tried. */
export type OverdueEndpoint = z.infer<typeof OverdueEndpoint>;

/** Longest due first. Reads one delivery of each enabled endpoint. */
export async function listOverdueEndpoints(sql: Sql, page: DuePage): Promise<OverdueEndpoint[]> {
  return await listRows(sql, OverdueEndpoint)`
    select endpoint_id as id, due_at, endpoint_id, app_id from (
      select endpoint_id, app_id, greatest(paused_until, next_retry_at) as due_at
      from webhook_endpoint e cross join lateral (
        select next_retry_at from webhook_delivery d where d.endpoint_id = e.endpoint_id and status = 'PENDING'
        order by next_retry_at, delivery_id limit 1
      ) waiting
      where enabled
    ) endpoint
    where due_at <= business_now() - interval '30 seconds'
      ${pageClause(sql, sql`due_at`, sql`endpoint_id`, page)}
  `;
}

import { CAPABILITIES, type ProviderName } from '../../basics/codes.ts';
import { formatProvider } from '../../basics/format-provider.ts';
import { mayRead } from '../../domain/access/may-read.ts';
import {
  buildConnectRedirectUri,
  buildIdentityRedirectUri,
  buildLogoUrl,
  buildPlatformCallbackUrl,
} from '../../domain/connecting/redirect-uris.ts';
import type { AdminRole } from '../../domain/rules/roles.ts';
import { describeFailure, describeResult } from '../../domain/texts/failure-messages.ts';
import { describeRefusal } from '../../domain/texts/refusal-texts.ts';
import { describeDeliveryFailure } from '../../domain/texts/webhook-texts.ts';
import type {
  AdminToken,
  App,
  AppKey,
  Attempt,
  AuditEntry,
  BulkDisconnect,
  Connection,
  FailedTry,
  Grant,
  IdentityIssuer,
  Job,
  Registration,
  RegistrationUsage,
  WebhookDelivery,
  WebhookEndpoint,
} from '../../generated/admin-schema.ts';
import { choosePermissions, type ProviderFacts } from '../../providers/facts.ts';
import type * as keys from '../../store/apps/keys.ts';
import type * as apps from '../../store/apps/registered-apps.ts';
import type { AdminAttempt } from '../../store/attempts/admin-attempts.ts';
import type * as connections from '../../store/connections/admin-connections.ts';
import type { Sql } from '../../store/driver/sql.ts';
import type { AdminGrant } from '../../store/grants/admin-grants.ts';
import type { KnownIssuer } from '../../store/issuers/known-issuers.ts';
import type { AdminJob } from '../../store/jobs/admin-jobs.ts';
import type * as bulk from '../../store/jobs/bulk-disconnects.ts';
import type * as tokens from '../../store/operators/admin-tokens.ts';
import type * as audit from '../../store/operators/audit-log.ts';
import { listAuditThings, listThingIds } from '../../store/operators/audit-things.ts';
import type { KnownRegistration } from '../../store/registrations/known-registrations.ts';
import type { RegistrationUse } from '../../store/registrations/registration-usage.ts';
import * as deliveries from '../../store/webhooks/webhook-deliveries.ts';
import * as endpoints from '../../store/webhooks/webhook-endpoints.ts';
import { renderEvent } from '../../webhooks/render-event.ts';
import { WORKFLOWS } from '../../workflows/contract.ts';
import { getJobWorkflowId } from '../../workflows/dispatches.ts';
import type { AnyContext, TemporalUi } from './context.ts';

/** Rows as the schema has them. */

export const toAdminToken = ({ tokenId, openidSub, ...token }: tokens.AdminToken): AdminToken => ({
  id: tokenId,
  ...token,
  sessionOnly: openidSub !== null,
});

export const toAppKey = ({ keyId, ...key }: keys.AppKey): AppKey => ({ id: keyId, ...key });

export function toApp(
  connectUrl: string,
  app: apps.RegisteredApp,
  { registrations, issuers }: { registrations: readonly Registration[]; issuers: readonly IdentityIssuer[] },
): App {
  const { appId, registrationIds, identity, branding, ...rest } = app;
  const { logo } = branding;
  const issuer = issuers.find(({ id }) => id === identity?.issuerId);
  const own = registrationIds.flatMap((id) => registrations.filter((registration) => registration.id === id));
  return {
    id: appId,
    ...rest,
    keys: app.keys.map(toAppKey),
    branding: { ...branding, logo: logo && { ...logo, url: buildLogoUrl(connectUrl, logo.sha256) } },
    registrations: own,
    identity:
      identity === null || issuer === undefined
        ? null
        : { issuer, returnUrl: identity.returnUrl, enabled: identity.enabled },
    missing: listMissing(app, own),
  };
}

/** Describes why no account can be connected at a provider, from the app's registrations there. @returns false if one can */
function describeUnserved(provider: ProviderName, registrations: readonly Registration[]): string | false {
  if (registrations.some(({ pausedAt, rejectedAt }) => pausedAt === null && rejectedAt === null)) return false;
  const name = formatProvider(provider);
  if (registrations.length === 0) return `No registration serves it at ${name}.`;
  return registrations.some(({ pausedAt }) => pausedAt === null)
    ? `${name} refuses the client of its registration.`
    : `Its registration at ${name} is paused.`;
}

function listMissing(app: apps.RegisteredApp, registrations: readonly Registration[]): string[] {
  const missing = [
    !app.enabled && 'It is disabled.',
    !app.keys.some(({ active }) => active) && 'It has no active key.',
    app.tenantCount === 0 && 'It has no tenant.',
    app.returnUrls.length === 0 && 'It has no return URL.',
    app.policies.length === 0 && 'No policy lets it use a provider.',
    ...app.policies.map(({ provider }) =>
      describeUnserved(
        provider,
        registrations.filter((one) => one.provider === provider),
      ),
    ),
  ];
  return missing.filter((text) => text !== false);
}

export function toRegistration(
  connectUrl: string,
  {
    registrationId,
    quotaSpentUntil,
    dailyQuota: granted,
    apps: served,
    permissions,
    otherClientIds,
    sameClient,
    ...registration
  }: KnownRegistration,
  facts: Pick<
    ProviderFacts,
    | 'dailyQuota'
    | 'platformCallbacks'
    | 'slug'
    | 'permissionsFor'
    | 'neededPermissions'
    | 'isGranted'
    | 'oneClientForEachProduct'
    | 'reachOf'
  >,
  usage: RegistrationUse,
): Registration {
  const { dailyQuota, platformCallbacks } = facts;
  const asked = choosePermissions(facts, CAPABILITIES, permissions);
  const unitsAllowed = dailyQuota && (granted ?? dailyQuota.units);
  const shown: RegistrationUsage = {
    day: usage.day,
    timeZone: usage.zone,
    resetsAt: usage.endsAt,
    unitsUsed: usage.units,
    unitsAllowed,
    unitsLeft: unitsAllowed === null ? null : Math.max(0, unitsAllowed - usage.units),
    spentUntil: quotaSpentUntil,
  };
  return {
    id: registrationId,
    ...registration,
    permissions: facts.permissionsFor(CAPABILITIES).map((name) => ({
      name,
      isAsked: asked.includes(name),
      isNeeded: facts.neededPermissions.includes(name),
    })),
    capabilities: CAPABILITIES.filter((capability) => facts.isGranted(capability, asked)),
    redirectUri: buildConnectRedirectUri(connectUrl, facts),
    callbackUrls: platformCallbacks.map(({ path, enteredAs }) => ({
      enteredAs,
      url: buildPlatformCallbackUrl(connectUrl, facts, registrationId, path),
    })),
    apps: served.map((app) => {
      const {
        units: unitsUsed = 0,
        percent: quotaPercent = 100,
        share: unitsAllowed = null,
      } = usage.apps.find(({ appId }) => appId === app.appId) ?? {};
      return { ...app, unitsUsed, quotaPercent, unitsAllowed };
    }),
    usage: shown,
    warnings: [
      ...sameClient.map(
        (label) =>
          `“${label}” has the same client. The platform counts their calls as one: the quota of each is not its own.`,
      ),
      ...(facts.oneClientForEachProduct
        ? listSharingFaults(facts, {
            provider: registration.provider,
            clientId: registration.clientId,
            appCount: served.length,
            otherClientIds,
          })
        : []),
    ],
  };
}

/** A breach of the terms of a platform that allows one client for each product. */
function listSharingFaults(
  { reachOf }: Pick<ProviderFacts, 'reachOf'>,
  of: { provider: ProviderName; clientId: string; appCount: number; otherClientIds: readonly string[] },
): string[] {
  const platform = formatProvider(of.provider);
  const projectOf = (clientId: string) => reachOf(clientId) ?? clientId;
  const isElsewhere = of.otherClientIds.some((clientId) => projectOf(clientId) !== projectOf(of.clientId));
  return [
    of.appCount > 1 &&
      `It serves ${of.appCount} apps. ${platform} allows a project for one product only: keep this if the apps are parts of one product.`,
    isElsewhere &&
      `An app that it serves also uses another project. ${platform} forbids several projects for one product: keep one of them.`,
  ].filter((text) => text !== false);
}

export const toIdentityIssuer = (
  connectUrl: string,
  { issuerId, tokenAuthMethod, ...issuer }: KnownIssuer,
): IdentityIssuer => ({
  id: issuerId,
  ...issuer,
  tokenAuthMethod: tokenAuthMethod === 'client_secret_post' ? 'CLIENT_SECRET_POST' : 'CLIENT_SECRET_BASIC',
  redirectUri: buildIdentityRedirectUri(connectUrl, issuerId),
});

/** Whether an operator sees names of accounts: if nothing hides them, if their role needs them, or if they ask to. */
const seesNames = ({ maskNames, actor }: Pick<AnyContext, 'maskNames' | 'actor'>, showNames: boolean): boolean =>
  !maskNames || actor.role === 'ADMIN' || showNames;

export function toConnection(
  context: Pick<AnyContext, 'temporalUi' | 'maskNames' | 'actor'>,
  { accessFacts, ...connection }: connections.AdminConnection,
  showNames = false,
): Connection {
  const namesHidden =
    !seesNames(context, showNames) && (connection.accountName !== null || connection.accountHandle !== null);
  return {
    id: connection.connectionId,
    ...connection,
    ...(namesHidden && { accountName: null, accountHandle: null }),
    namesHidden,
    readErrorCode: mayRead({ accessFacts, ...connection })?.code ?? null,
    workflowsUrl: context.temporalUi.connection(connection.connectionId),
  };
}

export function toAttempt(ui: TemporalUi, { attemptId, hasLaunched, ...attempt }: AdminAttempt): Attempt {
  const workflowId = attempt.codeArrivedAt && WORKFLOWS.connectAttempt.id({ attemptId });
  return {
    id: attemptId,
    ...attempt,
    resultMessage: describeAttemptEnd(attempt, hasLaunched),
    lastRefusalMessage: describeRefusal(attempt.lastRefusal),
    workflowId,
    workflowUrl: workflowId && ui.workflow(workflowId),
  };
}

function describeAttemptEnd(
  { resultCode, codeArrivedAt }: Pick<AdminAttempt, 'resultCode' | 'codeArrivedAt'>,
  hasLaunched: boolean,
) {
  const end = describeResult(resultCode);
  if (resultCode !== 'EXPIRED' || codeArrivedAt !== null) return end;
  return `${end} ${hasLaunched ? 'The person went to the provider, and did not come back: they closed its page, or it showed them an error.' : 'The person did not go to the provider.'}`;
}

export const toGrant = ({ grantId, endedBy, endedAnswer, endedAnswerCode, ...grant }: AdminGrant): Grant => ({
  id: grantId,
  ...grant,
  endReason: endedBy && describeEnd(endedBy, [endedAnswer, endedAnswerCode]),
});

function describeEnd(by: 'READ' | 'REFRESH' | 'EXPIRY', answer: readonly (string | null)[]): string {
  if (by === 'EXPIRY') return 'The time that the provider gives a consent was over.';
  const given = answer.filter((part) => part !== null).map((part) => part.replace('HTTP_', 'HTTP '));
  return `The provider refused a ${by.toLowerCase()}${given.length === 0 ? '' : ` (${given.join(', ')})`}.`;
}

/** The failed try before the one that succeeded. A scan that a failure ended early has none: its last try failed. */
function findOvercome(job: AdminJob): FailedTry | null {
  const { status, incompleteReason, lastAnswer: answer } = job;
  if (status !== 'SUCCEEDED' || incompleteReason === 'PROVIDER_UNAVAILABLE') return null;
  const [at, failure] = [
    job.lastTriedAt ?? job.firstFailedAt,
    describeFailure(job.lastFailure, { ...job, open: false }),
  ];
  return at === null || failure === null ? null : { at, failure, answer };
}

/** Why a revoke is not sent at a platform that offers one. */
export const GRANT_IN_USE = 'the same person has, or may have, another grant in use there, which it would end too.';

/** Why a revoke that has succeeded was not sent: the grant stays at the platform, or had ended. */
export function describeUnsentRevoke(
  {
    kind,
    status,
    creatorAction,
    grantId,
    provider,
  }: Pick<AdminJob, 'kind' | 'status' | 'creatorAction' | 'grantId' | 'provider'>,
  facts: AnyContext['facts'],
): string | null {
  if (status !== 'SUCCEEDED' || kind === 'ERASE') return null;
  if (creatorAction === null)
    return kind === 'REVOKE' && grantId === null ? 'No revoke was needed: the grant had ended before.' : null;
  return facts[provider].canRevoke ? `No revoke was sent: ${GRANT_IN_USE}` : 'This provider offers no revoke.';
}

export function toJob({ temporalUi: ui, facts }: Pick<AnyContext, 'temporalUi' | 'facts'>, job: AdminJob): Job {
  const workflowId = getJobWorkflowId(job);
  const recoveredFrom = findOvercome(job);
  return {
    id: job.jobId,
    kind: job.kind,
    status: job.status,
    appId: job.appId,
    appName: job.appName,
    tenantKey: job.tenantKey,
    externalSubjectId: job.externalSubjectId,
    providerAccountId: job.providerAccountId,
    provider: job.provider,
    registrationId: job.registrationId,
    connectionId: job.connectionId,
    attemptId: job.attemptId,
    stuck: job.stuck,
    stuckSince: job.stuck ? job.stuckSince : null,
    retryable: job.retryable,
    waiting: job.waiting,
    tries: job.tries,
    lastFailure: recoveredFrom === null ? describeFailure(job.lastFailure, job) : null,
    lastAnswer: recoveredFrom === null ? job.lastAnswer : null,
    recoveredFrom,
    refusedClient: job.refusedClient,
    lastTriedAt: recoveredFrom === null ? job.lastTriedAt : job.finishedAt,
    firstFailedAt: job.firstFailedAt,
    nextRetryAt: job.open ? job.nextRetryAt : null,
    givesUpAt: job.open ? job.giveUpAt : null,
    failure: describeFailure(job.errorCode, job),
    creatorAction: job.creatorAction,
    creatorActionReason: describeUnsentRevoke(job, facts),
    itemCount: job.kind === 'SCAN' ? job.itemCount : null,
    incompleteReason: job.incompleteReason,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    finishedAt: job.finishedAt,
    correlationId: job.correlationId,
    workflowId,
    workflowUrl: ui.workflow(workflowId),
  };
}

export function toBulkDisconnect(
  ui: TemporalUi,
  { bulkDisconnectId, correlationId: _, ...run }: bulk.BulkDisconnect,
  outcome?: bulk.BulkOutcome,
): BulkDisconnect {
  const workflowId = WORKFLOWS.disconnectAll.id({ bulkDisconnectId });
  return { id: bulkDisconnectId, ...run, outcome: outcome ?? null, workflowId, workflowUrl: ui.workflow(workflowId) };
}

/** The URL of an endpoint as a role may see it: a viewer sees its origin only, because the rest may contain a secret. */
const showUrl = (role: AdminRole, url: string): string => {
  if (role !== 'VIEWER') return url;
  const { origin, href } = new URL(url);
  return href === `${origin}/` ? origin : `${origin}/…`;
};

export function toWebhookEndpoint(
  { temporalUi: ui, actor }: Pick<AnyContext, 'temporalUi' | 'actor'>,
  { endpointId, secrets, ...endpoint }: endpoints.WebhookEndpoint,
  appName: string,
): WebhookEndpoint {
  const workflowId = WORKFLOWS.sendWebhooks.id({ endpointId });
  return {
    id: endpointId,
    appName,
    ...endpoint,
    url: showUrl(actor.role, endpoint.url),
    secrets: secrets.map(({ secretId, ...secret }) => ({ id: secretId, ...secret })),
    workflowId,
    workflowUrl: ui.workflow(workflowId),
  };
}

/** The next try of a delivery, for which the rows of both count. */
function planTry(
  { status, nextRetryAt }: Pick<deliveries.WebhookDelivery, 'status' | 'nextRetryAt'>,
  target: endpoints.DeliveryTarget | undefined,
): Pick<WebhookDelivery, 'nextRetryAt' | 'waitsForEndpoint'> {
  if (status !== 'PENDING' || nextRetryAt === null || target === undefined)
    return { nextRetryAt: null, waitsForEndpoint: false };
  if (!target.enabled) return { nextRetryAt: null, waitsForEndpoint: true };
  const { pauseEndsAt } = target;
  const waitsForEndpoint = pauseEndsAt !== null && pauseEndsAt > nextRetryAt;
  return { nextRetryAt: waitsForEndpoint ? pauseEndsAt : nextRetryAt, waitsForEndpoint };
}

/** Deliveries with the bodies that their endpoints receive. */
export async function toWebhookDeliveries(
  { sql, actor }: Pick<AnyContext, 'sql' | 'actor'>,
  rows: readonly deliveries.WebhookDelivery[],
): Promise<WebhookDelivery[]> {
  const [events, targets] = await Promise.all([
    deliveries.listWebhookEvents(sql, [...new Set(rows.map(({ eventId }) => eventId))]),
    endpoints.listDeliveryTargets(sql, [...new Set(rows.map(({ endpointId }) => endpointId))]),
  ]);
  const payloads = new Map(events.map((event) => [event.eventId, renderEvent(event)]));
  const showEndpointUrl = (url: string | undefined) => (url === undefined ? null : showUrl(actor.role, url));
  return rows.map(({ deliveryId, history, ...delivery }) => ({
    id: deliveryId,
    ...delivery,
    ...planTry(delivery, targets.get(delivery.endpointId)),
    endpointUrl: showEndpointUrl(targets.get(delivery.endpointId)?.url),
    lastFailure: describeDeliveryFailure(delivery),
    history: history.map(({ failure, ...one }) => ({
      ...one,
      failure: describeDeliveryFailure({ lastFailure: failure, lastHttpStatus: one.httpStatus }),
    })),
    payload: payloads.get(delivery.eventId) ?? null,
  }));
}

/** Entries with the names of their ids at that time, and otherwise those of now: all looked up at once. */
export async function toAuditEntries(sql: Sql, entries: readonly audit.AuditEntry[]): Promise<AuditEntry[]> {
  const existing = await listAuditThings(sql, [...new Set(entries.flatMap(listThingIds))]);
  const byId = new Map(existing.map((thing) => [thing.id, thing]));
  return entries.map(({ auditId, things: then, ...entry }) => ({
    id: auditId,
    ...entry,
    things: listThingIds(entry).flatMap((id) => {
      const thing = then.find((one) => one.id === id) ?? byId.get(id);
      return thing === undefined ? [] : { ...thing, exists: byId.has(id) };
    }),
  }));
}

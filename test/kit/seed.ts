import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  type Availability,
  CAPABILITIES,
  type Capability,
  type ConnectionStatus,
  PROVIDER_NAMES,
  type ProviderName,
} from '../../src/basics/codes.ts';
import {
  type AppId,
  type AttemptId,
  type ConnectionId,
  type GrantId,
  type IssuerId,
  type JobId,
  type KeyId,
  newId,
  type RegistrationId,
  type ScopeId,
} from '../../src/basics/ids.ts';
import { mapDetails, type PostDetails } from '../../src/basics/post-details.ts';
import { type App, updateApp } from '../../src/store/apps/apps.ts';
import type { Database, Sql } from '../../src/store/driver/sql.ts';
import { findRegistration, recordRejection } from '../../src/store/registrations/registrations.ts';
import type { SubjectScope } from '../../src/store/scopes.ts';
import { noteUnknownAnswer, type SeenAnswer } from '../../src/store/unknown-answers.ts';
import { addTwins, hasBystanders, surround } from './bystanders.ts';

export { insertReturnUrl } from '../../src/store/apps/addresses.ts';
// The store's functions by which tests of other folders seed and look: this file and its neighbours alone know the store.
export { issueKey, revokeKey } from '../../src/store/apps/keys.ts';
export { updatePolicy } from '../../src/store/apps/policies.ts';
export { insertTenant } from '../../src/store/apps/tenants.ts';
export { updateRefreshPolicy } from '../../src/store/connections/automatic-refresh.ts';
export { findConnection, moveConnection } from '../../src/store/connections/connections.ts';
export { recordRemoval } from '../../src/store/connections/proofs.ts';
export { believePlatform } from '../../src/store/connections/refusals.ts';
export { findContent } from '../../src/store/content/content.ts';
export { insertContent } from '../../src/store/content/stored-content.ts';
export { findErasure, insertErasure, listErasureJobs } from '../../src/store/erasures/erasures.ts';
export { measureGauges } from '../../src/store/gauges.ts';
export { moveExpiredGrantsToDead, moveGrantToDead } from '../../src/store/grants/grant-end.ts';
export { findGrantOfAttempt, findGrantOfConnection } from '../../src/store/grants/grants.ts';
export { insertAdminToken, revokeAdminToken } from '../../src/store/operators/admin-tokens.ts';
export {
  listRegistrations,
  updatePaused,
  updateRegistrationSecret,
} from '../../src/store/registrations/known-registrations.ts';
export { listRegistrationUsage } from '../../src/store/registrations/registration-usage.ts';
export {
  getCallLimits,
  insertRegistrationApp,
  updateQuotaSpent,
  updateRegistration,
} from '../../src/store/registrations/registrations.ts';
export type { SubjectScope } from '../../src/store/scopes.ts';

/** An app with every capability at every provider, and its registrations. */
export type SeededApp = Awaited<ReturnType<typeof seedApp>>;

/** Each test creates an app, so that tests on one database do not affect each other. */
export async function seedApp(
  sql: Database,
  {
    name = 'Harbour Kitchen',
    tenantKey = `tenant-${randomUUID()}`,
    returnUrl = 'https://caller.example/connected',
    identityReturnUrl = 'https://caller.example/signed-in',
    issuer = 'https://idp.example',
    capabilities = CAPABILITIES as readonly Capability[],
  } = {},
) {
  const app: App = { appId: newId<AppId>(), name, enabled: true, requestsPerSecond: 500 };
  const keyId = newId<KeyId>();
  const issuerId = newId<IssuerId>();
  const secret = randomBytes(32).toString('hex');
  const registrations = Object.fromEntries(
    PROVIDER_NAMES.map((provider) => [provider, newId<RegistrationId>()]),
  ) as Record<ProviderName, RegistrationId>;
  await sql.begin(async (tx) => {
    await tx`insert into app (app_id, name) values (${app.appId}, ${app.name})`;
    await tx`
      insert into app_key (key_id, app_id, secret_sha256)
      values (${keyId}, ${app.appId}, ${createHash('sha256').update(secret).digest()})
    `;
    await tx`insert into tenant (app_id, tenant_key) values (${app.appId}, ${tenantKey})`;
    await tx`insert into return_url (app_id, url) values (${app.appId}, ${returnUrl})`;
    for (const provider of PROVIDER_NAMES) {
      await tx`
        insert into app_policy (app_id, provider, capabilities) values (${app.appId}, ${provider}, ${[...capabilities]})
      `;
      await tx`
        insert into registration (registration_id, provider, label, client_id, sealed_client_secret)
        values (${registrations[provider]}, ${provider}, 'Test client', 'client', 'sealed')
      `;
      await tx`insert into registration_app (registration_id, app_id) values (${registrations[provider]}, ${app.appId})`;
    }
    await tx`
      insert into identity_issuer (issuer_id, issuer, client_id, sealed_client_secret, token_auth_method)
      values (${issuerId}, ${issuer}, 'client', 'sealed', 'client_secret_post')
    `;
    await tx`
      insert into app_identity (app_id, issuer_id, return_url) values (${app.appId}, ${issuerId}, ${identityReturnUrl})
    `;
  });
  const isCrowded = await hasBystanders(sql);
  if (isCrowded) await seedOtherDays(sql, app.appId, Object.values(registrations));
  await addTwins(sql, [
    ['app', 'app_id', app.appId],
    ...['app_key', 'tenant', 'return_url', 'app_policy'].map((table) => [table, 'app_id', app.appId] as const),
    ...Object.values(registrations).map((id) => ['registration', 'registration_id', id] as const),
    ['registration_app', 'app_id', app.appId],
    ['registration_usage', 'app_id', app.appId],
    ['identity_issuer', 'issuer_id', issuerId],
    ['app_identity', 'app_id', app.appId],
  ]);
  if (isCrowded) await surround(sql, app.appId);
  return {
    app,
    /** `<key-id>.<secret>`, sent as a bearer credential. */
    key: `${keyId}.${secret}`,
    keyId,
    tenantKey,
    returnUrl,
    identityReturnUrl,
    issuerId,
    registrations,
    /** A scope of its tenant with a new subject. */
    newScope: (): SubjectScope => ({ tenantKey, externalSubjectId: `subject-${randomUUID()}` }),
  };
}

/** Of each registration, most of the quota was used yesterday, and will be tomorrow: in California for PROVIDER_A, by UTC for the others. */
const seedOtherDays = (sql: Database, appId: AppId, registrationIds: readonly RegistrationId[]) => sql`
  insert into registration_usage (registration_id, day, app_id, units, refresh_units)
  select registration_id, (business_now() at time zone
    case provider when 'PROVIDER_A' then 'America/Los_Angeles' else 'UTC' end)::date + distance, ${appId}, 5000, 4000
  from registration cross join unnest('{-1, 1}'::int[]) as distance
  where registration_id = any(${[...registrationIds]}::uuid[])
`;

export async function seedScope(
  sql: Database,
  { app }: { app: Pick<App, 'appId'> },
  scope: SubjectScope,
): Promise<ScopeId> {
  const [row] = await sql`
    insert into scope (scope_id, app_id, tenant_key, external_subject_id)
    values (${newId<ScopeId>()}, ${app.appId}, ${scope.tenantKey}, ${scope.externalSubjectId})
    on conflict (app_id, tenant_key, external_subject_id) do update set tenant_key = excluded.tenant_key
    returning scope_id
  `;
  await addTwins(sql, [['scope', 'scope_id', row?.scopeId]]);
  return row?.scopeId as ScopeId;
}

export interface SeedConnection {
  readonly scope: SubjectScope;
  readonly provider?: ProviderName;
  readonly status?: ConnectionStatus;
  /** Random by default. */
  readonly providerAccountId?: string;
  readonly capabilities?: readonly { capability: Capability; availability: Availability; reason: string | null }[];
  /** The principal that a revoke at the provider would affect. */
  readonly principalMac?: Buffer;
}

export const available = (...names: readonly Capability[]) =>
  names.map((capability) => ({ capability, availability: 'AVAILABLE' as const, reason: null }));

/** A connection with a live grant and a fresh profile, even if `status` is that of a disconnected one. */
export async function seedConnection(sql: Database, seeded: SeededApp, options: SeedConnection): Promise<ConnectionId> {
  const { provider = 'PROVIDER_B', status = 'CONNECTED', capabilities = available(...CAPABILITIES) } = options;
  const scopeId = await seedScope(sql, seeded, options.scope);
  const connectionId = newId<ConnectionId>();
  const registrationId = seeded.registrations[provider];
  const profile = {
    displayName: 'Harbour',
    handle: 'harbour',
    avatarUrl: null,
    profileUrl: null,
    description: 'Boats.',
  };
  await sql`
    insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status,
      capabilities, profile, profile_observed_at)
    values (${connectionId}, ${scopeId}, ${seeded.app.appId}, ${provider}, ${registrationId}, ${options.providerAccountId ?? randomUUID()}, ${status},
      ${sql.json(capabilities as never)}, ${sql.json(profile)}, business_now())
  `;
  await sql`
    insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status,
      principal_mac, permissions, sealed_tokens, obtained_at)
    values (${newId<GrantId>()}, ${newId<AttemptId>()}, ${scopeId}, ${provider}, ${registrationId}, ${connectionId}, 'LIVE',
      ${options.principalMac ?? randomBytes(32)}, ${['read']}, 'sealed', business_now())
  `;
  await addTwins(sql, [
    ['connection', 'connection_id', connectionId],
    ['account_grant', 'connection_id', connectionId],
  ]);
  return connectionId;
}

export interface SeedContent {
  readonly providerContentId?: string;
  readonly publishedAt: Date | null;
  readonly observedAt?: Date;
  readonly title?: string;
  readonly metrics?: readonly object[];
}

/** A value of each detail of a post, which contains its name and `mark`. */
export const makeDetails = (mark: string): PostDetails =>
  mapDetails((name, kind) =>
    kind === 'PICTURE' ? `https://platform.example/${name}/${mark}.jpg` : `The ${name}, ${mark}`,
  );

/** @returns the provider's id of the post. */
export async function seedContent(sql: Database, connectionId: ConnectionId, post: SeedContent): Promise<string> {
  const providerContentId = post.providerContentId ?? randomUUID();
  const observedAt = post.observedAt ?? sql`business_now()`;
  await sql`
    insert into content_item (content_item_id, connection_id, provider_content_id, kind, canonical_url, details,
      published_at, availability, metrics, metrics_observed_at, observed_at)
    values (${randomUUID()}, ${connectionId}, ${providerContentId}, 'VIDEO', 'https://platform.example/v',
      ${sql.json({ ...makeDetails('seeded'), title: post.title ?? 'A boat' })}, ${post.publishedAt}, 'AVAILABLE', ${sql.json((post.metrics ?? []) as never)},
      ${post.metrics ? observedAt : null}, ${observedAt})
  `;
  await sql`
    update connection set posts_read_since = least(posts_read_since, ${observedAt}) where connection_id = ${connectionId}
  `;
  await addTwins(sql, [['content_item', 'connection_id', connectionId]]);
  return providerContentId;
}

/** A range of publication time that a scan covered completely, finished at `scannedAt`. */
export async function seedCoverage(
  sql: Database,
  connectionId: ConnectionId,
  { publishedAfter, publishedBefore, scannedAt }: { publishedAfter: Date; publishedBefore: Date; scannedAt: Date },
): Promise<void> {
  await sql`
    insert into coverage (coverage_id, connection_id, published, scanned_at)
    values (${randomUUID()}, ${connectionId}, tstzrange(${publishedAfter}, ${publishedBefore}), ${scannedAt})
  `;
  await addTwins(sql, [['coverage', 'connection_id', connectionId]]);
}

/** A caller's lookup in flight: the cheapest job that counts towards the limit. */
export async function seedLookups(sql: Database, { app }: SeededApp, connectionId: ConnectionId, count: number) {
  for (let i = 0; i < count; i += 1) {
    const url = `https://platform.example/${randomUUID()}`;
    await sql`
      insert into read_job (job_id, kind, connection_id, app_id, provider, requested_by, url, url_sha256, correlation_id)
      select ${newId<JobId>()}, 'LOOKUP', connection_id, ${app.appId}, provider, 'CALLER', ${url},
        ${createHash('sha256').update(url).digest()}, ${randomUUID()}
      from connection where connection_id = ${connectionId}
    `;
  }
  await addTwins(sql, [['read_job', 'connection_id', connectionId]]);
}

/** Stops business time at `instant` for every user of the database, until `releaseClock`. */
export async function freezeClock(sql: Database, instant: Date): Promise<void> {
  await sql.unsafe(`
    create or replace function business_now() returns timestamptz language sql stable parallel safe
    return timestamptz '${instant.toISOString()}'
  `);
}

/** Restores the business time of the migrations. */
export async function releaseClock(sql: Database): Promise<void> {
  await sql.unsafe(`
    create or replace function business_now() returns timestamptz language sql stable parallel safe
    return date_trunc('milliseconds', statement_timestamp())
  `);
}

/** Does `work` so many milliseconds after an instant. */
export async function at<T>(sql: Database, instant: Date, ms: number, work: () => Promise<T>): Promise<T> {
  await freezeClock(sql, new Date(instant.getTime() + ms));
  try {
    return await work();
  } finally {
    await releaseClock(sql);
  }
}

/** Disables or enables an app, as its operator does. */
export const setEnabled = (sql: Sql, appId: AppId, enabled: boolean): Promise<boolean> =>
  updateApp(sql, appId, { enabled });

/** Marks the client as refused, as after a probe that the provider refused. */
export async function rejectClient(sql: Database, registrationId: RegistrationId): Promise<void> {
  const registration = await findRegistration(sql, registrationId);
  const cause = { answer: 'HTTP_401', code: 'invalid_client' };
  if (!registration || !(await recordRejection(sql, registration, cause)))
    throw new Error('It is refused already, or not there.');
}

/** An answer that no adapter knows, other than all before. */
export const newSeenAnswer = (changes: Partial<SeenAnswer> = {}): SeenAnswer => ({
  provider: 'PROVIDER_B',
  place: 'PROVIDER_B user info',
  status: 400,
  code: `code_${randomUUID()}`,
  text: 'Something new.',
  madeOfIt: 'RetryLater',
  ...changes,
});

export { noteUnknownAnswer as seeAnswer };

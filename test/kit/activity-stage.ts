import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createConnectSteps } from '../../src/activities/connect.ts';
import { guardActivities } from '../../src/activities/failures.ts';
import { sealTokens } from '../../src/activities/grant-tokens.ts';
import { createProviderActivities, createStoreActivities } from '../../src/activities/index.ts';
import { callWithFreshToken } from '../../src/activities/tokens.ts';
import { type Capability, type ConnectionStatus, PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import {
  type ConnectionId,
  type CorrelationId,
  type GrantId,
  type JobId,
  newId,
  type ScopeId,
} from '../../src/basics/ids.ts';
import type { Call, Provider, Tokens } from '../../src/providers/provider.ts';
import { type Attempt, connectAttempts } from '../../src/store/attempts/attempts.ts';
import { startDisconnect } from '../../src/store/connections/disconnects.ts';
import { byteaArray } from '../../src/store/driver/bytea-array.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { findGrant, findGrantOfConnection, type Grant } from '../../src/store/grants/grants.ts';
import { insertScan, type ScanWindow } from '../../src/store/jobs/new-reads.ts';
import type { ReadJob } from '../../src/store/jobs/read-jobs.ts';
import { lockScopeById } from '../../src/store/scopes.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { addTwins } from './bystanders.ts';
import { createWorkerDeps, runActivity } from './deps.ts';
import { ACCOUNT, fakeProviders, MARK, newTokens } from './fake-provider.ts';
import { test } from './postgres.ts';
import { available, seedApp, seedConnection, seedScope } from './seed.ts';
import { seedAttempt } from './seed-attempts.ts';

type Options = Partial<Omit<Parameters<typeof createWorkerDeps>[1], 'providers'>>;

/** A worker's activities over a real database, an app with every permission, and scripted providers. */
export const openStage = (sql: Database, options: Options = {}) => openStageWith(sql, fakeProviders(), options);

/** The same with other providers, such as the real ones. */
export async function openStageWith<Providers extends Readonly<Record<ProviderName, Provider>>>(
  sql: Database,
  providers: Providers,
  options: Options & { clients?: Readonly<Record<ProviderName, { clientId: string; clientSecret: string }>> } = {},
) {
  const deps = await createWorkerDeps(sql, { ...options, providers });
  const seeded = await seedApp(sql);
  for (const provider of PROVIDER_NAMES) {
    const registrationId = seeded.registrations[provider];
    const client = options.clients?.[provider] ?? { clientId: 'client', clientSecret: `${MARK}-client-secret` };
    const sealed = await deps.before.sealInbox(client.clientSecret, associatedData.clientSecret(registrationId));
    await sql`
      update registration set client_id = ${client.clientId}, sealed_client_secret = ${sealed}
      where registration_id = ${registrationId}
    `;
  }
  const activities = {
    ...createProviderActivities(deps),
    ...guardActivities(deps.log, createConnectSteps(deps)),
    ...createStoreActivities(deps as unknown as Parameters<typeof createStoreActivities>[0]),
  };
  const newScopeId = () => seedScope(sql, seeded, seeded.newScope());

  /** An attempt with a callback that was just accepted. */
  async function newAttempt(
    changes: {
      provider?: ProviderName;
      scopeId?: ScopeId;
      capabilities?: readonly Capability[];
      reconnectConnectionId?: ConnectionId;
      code?: string;
      codeVerifier?: string | null;
    } = {},
  ): Promise<Attempt> {
    const {
      provider = 'PROVIDER_B',
      capabilities = ['PROFILE', 'CONTENT_LIST'],
      reconnectConnectionId = null,
    } = changes;
    const { code = `${MARK}-code`, codeVerifier = `${MARK}-verifier` } = changes;
    const scopeId = changes.scopeId ?? (await newScopeId());
    const asked = { scopeId, provider, capabilities, reconnectConnectionId };
    return await seedAttempt(sql, seeded, asked, async (tx, attemptId) => {
      await connectAttempts.moveToAuthorizing(tx, attemptId, {
        stateSha256: randomBytes(32),
        browserSha256: randomBytes(32),
        sealedCodeVerifier:
          codeVerifier === null ? null : await deps.sealInbox(codeVerifier, associatedData.codeVerifier(attemptId)),
      });
      await connectAttempts.moveToExchanging(tx, attemptId, await deps.sealInbox(code, associatedData.code(attemptId)));
    });
  }

  /** An attempt with a grant and the account behind it. */
  async function newExchangedAttempt(changes: Parameters<typeof newAttempt>[0] = {}): Promise<Attempt> {
    const attempt = await newAttempt(changes);
    await runActivity(activities.exchangeCode, { attemptId: attempt.attemptId });
    await runActivity(activities.readAccount, { attemptId: attempt.attemptId });
    return attempt;
  }

  /** A connection with a grant that holds real, sealed tokens. */
  async function newConnection(
    changes: {
      provider?: ProviderName;
      status?: ConnectionStatus;
      tokens?: Tokens;
      principal?: string;
      capabilities?: readonly Capability[];
      scope?: ReturnType<typeof seeded.newScope>;
    } = {},
  ): Promise<{ connectionId: ConnectionId; grantId: GrantId; scopeId: ScopeId; provider: ProviderName }> {
    const { provider = 'PROVIDER_B', tokens = newTokens(), principal = randomUUID() } = changes;
    const macs = [deps.before.mac, deps.mac].flatMap((mac) =>
      mac.allOf('principal', seeded.registrations[provider], principal),
    );
    // A principal keeps the hash that it has.
    const [held] = await sql`
      select principal_mac from account_grant
      where principal_mac = any(${byteaArray(sql, macs)}) and status <> 'DEAD'
      union select principal_mac from disconnect_job where principal_mac = any(${byteaArray(sql, macs)}) limit 1
    `;
    const connectionId = await seedConnection(sql, seeded, {
      scope: changes.scope ?? seeded.newScope(),
      // A scope has one connection for each account; a given scope may already have others.
      ...(!changes.scope && { providerAccountId: ACCOUNT }),
      provider,
      principalMac: held?.principalMac ?? macs[0],
      ...(changes.status && { status: changes.status }),
      ...(changes.capabilities && { capabilities: available(...changes.capabilities) }),
    });
    const grant = await findGrantOfConnection(sql, connectionId);
    if (!grant) throw new Error('The connection has no grant.');
    const sealed = await sealTokens(
      { ...deps, vault: { ...deps.vault, sealGrant: deps.before.sealGrant } },
      tokens,
      associatedData.tokens(grant.grantId),
    );
    await sql`
      update account_grant set sealed_tokens = ${sealed}, access_expires_at = ${tokens.accessExpiresAt},
        refresh_expires_at = ${tokens.refreshExpiresAt}, permissions = ${[...tokens.permissions]}
      where grant_id = ${grant.grantId}
    `;
    return { connectionId, grantId: grant.grantId, scopeId: grant.scopeId, provider };
  }

  /** Inserts a queued scan. */
  const newScan = async (
    connectionId: ConnectionId,
    changes: { window?: ScanWindow; maxItems?: number; requestedBy?: 'CALLER' | 'SERVICE'; continues?: ReadJob } = {},
  ): Promise<ReadJob> => {
    const scan = await insertScan(sql, {
      connectionId,
      appId: seeded.app.appId,
      provider: 'PROVIDER_B',
      requestedBy: changes.requestedBy ?? 'CALLER',
      correlationId: newId<CorrelationId>(),
      window: changes.window ?? null,
      maxItems: changes.maxItems ?? 100,
      continues: changes.continues ?? null,
    });
    await addTwins(sql, [['read_job', 'job_id', scan.jobId]]);
    return scan;
  };

  /** Disconnects a connection as the mutation does. */
  const disconnect = (connection: { connectionId: ConnectionId; scopeId: ScopeId }) =>
    inTransaction(sql, async (tx) => {
      await lockScopeById(tx, connection.scopeId);
      const scope = { scopeId: connection.scopeId, scopeMac: createHash('sha256').update(connection.scopeId).digest() };
      const started = await startDisconnect(
        tx,
        scope,
        connection.connectionId,
        { reason: 'APP', correlationId: newId<CorrelationId>() },
        {
          spares: false,
          listAccountMacs: () => [],
        },
      );
      if (!started) throw new Error('There was nothing to disconnect.');
      return started;
    });

  return {
    sql,
    deps,
    deliveryRequests: deps.deliveryRequests,
    providers,
    provider: providers.PROVIDER_B as Providers['PROVIDER_B'],
    seeded,
    activities,
    newScopeId,
    newAttempt,
    newExchangedAttempt,
    newConnection,
    newScan,
    disconnect,
    /** The platform has refused the grant three minutes ago: the service believes the next refusal (D-840). */
    refuseBefore: async (grantId: GrantId) => {
      await sql`
        update account_grant set refused_at = business_now() - interval '3 minutes' where grant_id = ${grantId}
      `;
    },
    grant: async (grantId: GrantId) => {
      const found = await findGrant(sql, grantId);
      if (!found) throw new Error('There is no such grant.');
      return found satisfies Grant;
    },
    connectionStatus: async (connectionId: ConnectionId) => {
      const [row] = await sql`select status from connection where connection_id = ${connectionId}`;
      return row?.status as ConnectionStatus | undefined;
    },
    job: async (table: 'read_job' | 'disconnect_job', jobId: JobId) => {
      const [row] = await sql`select * from ${sql(table)} where job_id = ${jobId}`;
      if (!row) throw new Error('There is no such job.');
      return row;
    },
  };
}
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** `test` with a stage. */
export const stageTest = test.extend<{ stage: Stage }>({
  stage: async ({ sql }, use) => await use(await openStage(sql)),
});

/** Calls the provider with a fresh token, for the grant's own sake. */
export const useGrant = <T>(
  deps: Parameters<typeof callWithFreshToken>[0],
  grantId: GrantId,
  signal: AbortSignal,
  call: (tokens: Tokens, meter: Call) => Promise<T>,
): Promise<T> => callWithFreshToken(deps, grantId, signal, call, { purpose: { for: 'REFRESH', grantId } });

/** The type and details of an activity's failure, as history holds them. */
export async function failureOf(activity: Promise<unknown>) {
  const error = await activity.then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: 'ApplicationFailure' });
  const { type, details, message } = error as { type: string; details?: [Record<string, unknown>]; message: string };
  expect(message).not.toContain(MARK);
  return { type, ...details?.[0] };
}

import { randomUUID } from 'node:crypto';
import { getNamedType } from 'graphql';
import { OPERATIONS } from '../../../src/generated/admin-operations.ts';
import { requestOf, OPERATIONS as SCHEMA_OPERATIONS } from '../../kit/every-operation.ts';
import { makePng } from '../../kit/images.ts';
import type { Answer, TestAdmin } from '../../kit/operator.ts';
import type { Database } from '../../kit/postgres.ts';
import { newSeenAnswer, seeAnswer, seedApp, seedConnection, seedScope } from '../../kit/seed.ts';
import { seedAttempt } from '../../kit/seed-attempts.ts';

type Declared = typeof OPERATIONS;
export type MutationName = {
  [Name in keyof Declared]: Declared[Name]['kind'] extends 'mutation' ? Name : never;
}[keyof Declared];

export const MUTATIONS = Object.entries(OPERATIONS).flatMap(([name, { kind, ...declared }]) =>
  kind === 'mutation' ? [{ name: name as MutationName, ...declared }] : [],
);

/** One app with one of everything that a mutation can be about. */
export type World = Awaited<ReturnType<typeof buildWorld>>;

const CREATE_ISSUER = `mutation { createIdentityIssuer(input: {
  issuer: "https://typo.example", clientId: "mistake", clientSecret: "hush", tokenAuthMethod: CLIENT_SECRET_BASIC
}) { id } }`;
const CREATE_REGISTRATION = `mutation { createRegistration(input: { provider: PROVIDER_B, label: "Mistake", clientId: "client",
  clientSecret: "hush" }) { id } }`;

export async function buildWorld(sql: Database, admin: TestAdmin) {
  const seeded = await seedApp(sql);
  const { app, registrations } = seeded;
  const run = admin.as('ADMIN');
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  const { attemptId } = await seedAttempt(sql, seeded, { scopeId: await seedScope(sql, seeded, scope) });
  const addCallbackSecret = await run.run(
    'addCallbackSecret',
    { registrationId: registrations.PROVIDER_C, secret: 'first' },
    'callbackSecrets { id }',
  );
  const createWebhookEndpoint = await run.run(
    'createWebhookEndpoint',
    { input: { appId: app.appId, url: 'https://caller.example/hooks?token=hush' } },
    'endpoint { id }',
  );
  const endpointId = createWebhookEndpoint.endpoint.id;
  const rotateWebhookSecret = await run.run('rotateWebhookSecret', { id: endpointId }, 'endpoint { secrets { id } }');
  const sendTestWebhook = await run.run('sendTestWebhook', { id: endpointId });
  await run.run('addLaunchOrigin', { appId: app.appId, origin: 'https://old.example' });
  await run.run('setLogo', { appId: app.appId, image: makePng(16, 16).toString('base64') });
  await seeAnswer(sql, newSeenAnswer(), 1);
  const unknownAnswers = await run.run('unknownAnswers', { first: 1 }, 'items { id }');
  return {
    ...seeded,
    unknownAnswerId: unknownAnswers.items[0].id,
    sql,
    connectionId,
    externalSubjectId: scope.externalSubjectId,
    attemptId,
    callbackSecretId: addCallbackSecret.callbackSecrets[0].id,
    endpointId,
    secretIds: rotateWebhookSecret.endpoint.secrets.map(({ id }: Answer) => id),
    deliveryId: sendTestWebhook.id,
    otherTokenId: (await admin.newToken('OPERATOR')).tokenId,
    /** Registered and never used. */
    mistakes: {
      appId: (await run.run('createApp', { input: { name: 'Mistake' } })).id,
      registrationId: (await run(CREATE_REGISTRATION)).createRegistration.id,
      issuerId: (await run(CREATE_ISSUER)).createIdentityIssuer.id,
    },
  };
}

interface Act {
  readonly args: Readonly<Record<string, unknown>>;
  /** The fields to select. */
  readonly fields: string;
  /** The names that its entry in the audit log must have, its object first. */
  names(answer: Answer): readonly unknown[];
}

const act = (args: Act['args'], fields: string, names: Act['names']): Act => ({ args, fields, names });
const onApp = ({ app }: World, args: object, ...more: string[]) =>
  act({ appId: app.appId, ...args }, 'id', () => [app.appId, ...more]);
const onId = (id: string, fields: string, ...more: string[]) => act({ id }, fields, () => [id, ...more]);
const onEndpoint = ({ endpointId, app }: World, args: object, fields: string, ...more: string[]) =>
  act({ id: endpointId, ...args }, fields, () => [endpointId, app.appId, ...more]);

/** A keyed hash: whose it is, another test shows. */
const TENANT = 'tenant:<hash>';
const SUBJECT = 'subject:<hash>';

const jobsOf = async ({ sql, connectionId }: World, kind: string): Promise<string> => {
  const [row] = await sql`select job_id from disconnect_job where connection_id = ${connectionId} and kind = ${kind}`;
  return row?.jobId;
};

/** Disconnects, and lets the revoke wait for its next try. */
async function waitingRevoke(world: World, admin: TestAdmin): Promise<string> {
  const { sql, connectionId } = world;
  await admin.as('ADMIN').run('disconnectConnection', { id: connectionId });
  await sql`
    update disconnect_job set status = 'RUNNING', tries = 1, next_retry_at = business_now() + interval '1 hour'
    where connection_id = ${connectionId} and kind = 'REVOKE'
  `;
  return await jobsOf(world, 'REVOKE');
}

/** The thing that the argument `id` names, by the type of the answer. */
const ID_BY_ANSWER: Readonly<Record<string, (world: World) => string>> = {
  App: ({ app }) => app.appId,
  Registration: ({ registrations }) => registrations.PROVIDER_A,
  RegistrationChange: ({ registrations }) => registrations.PROVIDER_A,
};

/** One that succeeds with its required arguments: ids of things in the world, and values that the schema allows. */
function usualAct(name: MutationName, world: World): Act {
  const operation = SCHEMA_OPERATIONS.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`The schema has no ${name}.`);
  const given: Readonly<Record<string, string | undefined>> = {
    appId: world.app.appId,
    registrationId: world.registrations.PROVIDER_A,
    id: ID_BY_ANSWER[getNamedType(operation.field.type).name]?.(world),
  };
  const { variables } = requestOf(operation);
  const args = Object.fromEntries(Object.entries(variables).map(([arg, value]) => [arg, given[arg] ?? value]));
  const { ids, codes } = OPERATIONS[name];
  return act(args, '__typename', () => [...ids, ...codes].flatMap((arg) => args[arg] ?? []));
}

/** One that succeeds. */
export const actOf = async (name: MutationName, world: World, admin: TestAdmin): Promise<Act> =>
  (await ACTS[name]?.(world, admin)) ?? usualAct(name, world);

/** The mutations that need more than `usualAct` knows. */
const ACTS: Readonly<Partial<Record<MutationName, (world: World, admin: TestAdmin) => Act | Promise<Act>>>> = {
  createApp: () => act({ input: { name: 'Quay' } }, 'id', ({ id }) => [id]),
  changeApp: ({ app }) => act({ id: app.appId, name: 'Pier' }, 'id', () => [app.appId]),
  issueKey: ({ app }) => act({ input: { appId: app.appId } }, 'key { id }', ({ key }) => [app.appId, key.id]),
  changeKey: ({ keyId, app }) => act({ id: keyId, label: 'Vault' }, 'id', () => [keyId, app.appId]),
  revokeKey: ({ keyId, app }) => onId(keyId, 'id', app.appId),
  addTenant: ({ app }) => act({ appId: app.appId, tenantKey: 'quay' }, 'tenantKey', () => [app.appId, TENANT]),
  removeTenant: ({ app, tenantKey }) =>
    act({ appId: app.appId, tenantKey, connections: 'KEEP' }, 'connectionCount', () => [app.appId, 'KEEP', TENANT]),
  addReturnUrl: (world) => onApp(world, { url: 'https://new.example/back?code=hush' }, 'https://new.example'),
  removeReturnUrl: (world) => onApp(world, { url: world.returnUrl }, 'https://caller.example'),
  addLaunchOrigin: (world) => onApp(world, { origin: 'https://new.example' }, 'https://new.example'),
  removeLaunchOrigin: (world) => onApp(world, { origin: 'https://old.example' }, 'https://old.example'),
  setBranding: (world) => onApp(world, { color: '#335577' }),
  setLogo: (world) => onApp(world, { image: makePng(32, 32).toString('base64') }),
  setPolicy: (world) => onApp(world, { provider: 'PROVIDER_A', capabilities: ['PROFILE'] }, 'PROVIDER_A', 'PROFILE'),
  setIdentity: (world) =>
    onApp(
      world,
      { issuerId: world.issuerId, returnUrl: 'https://new.example/in' },
      world.issuerId,
      'https://new.example',
    ),
  createRegistration: () =>
    act(
      { input: { provider: 'PROVIDER_A', label: 'Ours', clientId: 'client', clientSecret: 'hush' } },
      'id',
      ({ id }) => [id, 'PROVIDER_A'],
    ),
  rotateRegistrationSecret: ({ registrations: { PROVIDER_A: id } }) =>
    act({ id, clientSecret: 'hush' }, 'id', () => [id]),
  dismissUnknownAnswer: ({ unknownAnswerId }) => onId(unknownAnswerId, 'id'),
  addCallbackSecret: ({ registrations: { PROVIDER_B: registrationId } }) =>
    act({ registrationId, secret: 'hush' }, 'callbackSecrets { id }', ({ callbackSecrets: [secret] }) => [
      registrationId,
      secret.id,
    ]),
  removeCallbackSecret: ({ callbackSecretId, registrations }) => onId(callbackSecretId, 'id', registrations.PROVIDER_C),
  createIdentityIssuer: () =>
    act(
      { input: { issuer: `https://${randomUUID()}.example/realm`, clientId: 'client', clientSecret: 'hush' } },
      'id issuer',
      ({ id, issuer }) => [id, 'CLIENT_SECRET_BASIC', issuer.replace('/realm', '')],
    ),
  rotateIdentityIssuerSecret: ({ issuerId: id }) => act({ id, clientSecret: 'hush' }, 'id', () => [id]),
  createWebhookEndpoint: ({ app }) =>
    act(
      { input: { appId: app.appId, url: 'https://new.example/hooks?token=hush' } },
      'endpoint { id }',
      ({ endpoint }) => [app.appId, endpoint.id, 'https://new.example'],
    ),
  changeWebhookEndpoint: (world) =>
    onEndpoint(world, { url: 'https://new.example/hooks?token=hush' }, 'id', 'https://new.example'),
  disableWebhookEndpoint: (world) => onEndpoint(world, {}, 'id'),
  enableWebhookEndpoint: (world) => onEndpoint(world, {}, 'id'),
  removeWebhookEndpoint: (world) => onEndpoint(world, {}, 'id'),
  rotateWebhookSecret: async (world) => {
    await world.sql`delete from webhook_secret where secret_id = ${world.secretIds[0] ?? ''}`;
    return act({ id: world.endpointId }, 'endpoint { secrets { id } }', ({ endpoint }) => [
      world.endpointId,
      world.app.appId,
      endpoint.secrets[1].id,
    ]);
  },
  retireWebhookSecret: (world) => onEndpoint(world, { secretId: world.secretIds[0] }, 'id', world.secretIds[0] ?? ''),
  sendTestWebhook: ({ endpointId, app }) => act({ id: endpointId }, 'id', ({ id }) => [endpointId, app.appId, id]),
  redeliverWebhook: ({ deliveryId, endpointId, app }) => onId(deliveryId, 'id', endpointId, app.appId),
  redeliverWebhooks: (world) => onEndpoint(world, { since: new Date().toISOString() }, 'count'),
  retryJob: async (world, admin) => onId(await waitingRevoke(world, admin), 'id', world.connectionId, world.app.appId),
  retryJobs: async (world, admin) => {
    const jobId = await waitingRevoke(world, admin);
    const filter = { appId: world.app.appId, kinds: ['REVOKE'] };
    return act({ filter }, 'count', () => [world.app.appId, 'REVOKE', jobId]);
  },
  cancelAttempt: ({ attemptId, app }) => onId(attemptId, 'id', app.appId),
  disconnectConnection: ({ connectionId, app }) =>
    act({ id: connectionId }, 'receipts { id }', ({ receipts }) => [
      connectionId,
      app.appId,
      ...receipts.map(({ id }: Answer) => id),
      TENANT,
      SUBJECT,
    ]),
  disconnectAll: ({ app, tenantKey }) =>
    act({ input: { appId: app.appId, tenantKey } }, 'bulkDisconnect { id }', ({ bulkDisconnect }) => [
      app.appId,
      bulkDisconnect.id,
      TENANT,
    ]),
  eraseSubject: ({ app, tenantKey, externalSubjectId }) =>
    act({ input: { appId: app.appId, tenantKey, externalSubjectId } }, 'erasure { id }', ({ erasure }) => [
      app.appId,
      erasure.id,
      TENANT,
      SUBJECT,
    ]),
  exportSubject: ({ app, tenantKey, externalSubjectId }) =>
    act({ input: { appId: app.appId, tenantKey, externalSubjectId } }, 'endCursor', () => [app.appId, TENANT, SUBJECT]),
  setRefreshPolicy: (world) => onApp(world, { provider: 'PROVIDER_A', refreshMinutes: 60 }, 'PROVIDER_A'),
  revokeAdminToken: ({ otherTokenId }) => onId(otherTokenId, 'id'),
  createAdminToken: () =>
    act({ input: { label: 'Grace', role: 'VIEWER' } }, 'token { id }', ({ token }) => [token.id, 'VIEWER']),
  deleteApp: ({ mistakes }) => onId(mistakes.appId, ''),
  deleteRegistration: ({ mistakes }) => onId(mistakes.registrationId, ''),
  deleteIdentityIssuer: ({ mistakes }) => onId(mistakes.issuerId, ''),
};

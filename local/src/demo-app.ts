import path from 'node:path';
import { z } from 'zod';
import { DEMO_APP, IDP_CLIENT, KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import { getPublicName, PLATFORMS } from '../../sandbox/src/model.ts';
import { CAPABILITIES, WEBHOOK_EVENT_TYPES } from '../../src/basics/codes.ts';
import { type AppId, type CallbackSecretId, newId, type WebhookEndpointId } from '../../src/basics/ids.ts';
import { Secret } from '../../src/basics/secret.ts';
import { logo } from '../../src/domain/rules/input-rules.ts';
import { addWebhookEndpoint } from '../../src/domain/webhooks/operate-endpoints.ts';
import { insertReturnUrl } from '../../src/store/apps/addresses.ts';
import { insertApp, updateApp } from '../../src/store/apps/apps.ts';
import { updateLogo } from '../../src/store/apps/branding.ts';
import { issueKey } from '../../src/store/apps/keys.ts';
import { updatePolicy } from '../../src/store/apps/policies.ts';
import { insertTenant } from '../../src/store/apps/tenants.ts';
import { type Database, inTransaction, openDatabase } from '../../src/store/driver/sql.ts';
import { insertCallbackSecret } from '../../src/store/erasures/platform-callbacks.ts';
import { updateIdentitySettings } from '../../src/store/issuers/identity-settings.ts';
import { insertIssuer } from '../../src/store/issuers/issuers.ts';
import { insertRegistration, insertRegistrationApp } from '../../src/store/registrations/registrations.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { createSeal, type Seal } from '../../src/vault/seal.ts';
import { DEMO_COLOR, drawDemoLogo } from './demo-logo.ts';
import { buildHttpUrl } from './ports.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';
import type { StackSettings } from './settings.ts';

/** An app with every permission, to try things with. */
export const DemoApp = z.object({
  id: z.string(),
  key: z.string(),
  tenantKey: z.string(),
  returnUrl: z.string(),
  identityReturnUrl: z.string(),
  /** Of the endpoint to which the service sends the app's events. */
  webhook: z.object({ endpointId: z.string(), url: z.string(), secret: z.string() }).optional(),
});
export type DemoApp = z.infer<typeof DemoApp>;

/** Kept beside the database, which has only the hash of its key. */
const fileOf = ({ folder }: StackSettings) => path.join(folder, 'demo-app.json');

/** Of an application that is not the example caller. */
interface OwnAddresses {
  readonly returnUrl: string | undefined;
  readonly webhookUrl: string | undefined;
}

/** The demo app, made as an operator would make one; the same one as long as its database is. */
export async function seedDemoApp(settings: StackSettings, { returnUrl, webhookUrl }: OwnAddresses): Promise<DemoApp> {
  const sql = openDatabase(new Secret(settings.databaseUrl), { poolSize: 2, applicationName: 'local stack' });
  try {
    const kept = readPrivateJson(fileOf(settings), DemoApp);
    const known = kept === undefined ? [] : await sql`select from app where app_id = ${kept.id}`;
    const made = kept === undefined || known.length === 0 ? await makeDemoApp(sql, settings, returnUrl) : kept;
    // The caller's port may be another this time.
    const hook =
      webhookUrl ?? (returnUrl === undefined ? `${buildHttpUrl(settings.ports.caller)}/webhooks` : undefined);
    const webhook = hook === undefined ? undefined : await seedWebhook(sql, settings, made, hook);
    const app = { ...made, ...returnUrls(settings, returnUrl), ...(webhook && { webhook }) };
    writePrivateJson(fileOf(settings), app);
    if (made === kept && app.returnUrl !== made.returnUrl) {
      await insertReturnUrl(sql, app.id as AppId, app.returnUrl);
      await sql`update app_identity set return_url = ${app.identityReturnUrl} where app_id = ${app.id}`;
      await sql`update identity_issuer set issuer = ${issuerUrl(settings)} where client_id = ${IDP_CLIENT.clientId}`;
    }
    return app;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const returnUrls = ({ ports }: StackSettings, returnUrl?: string) => ({
  returnUrl: returnUrl ?? `${buildHttpUrl(ports.caller)}/connect/return`,
  identityReturnUrl: `${buildHttpUrl(ports.caller)}/sign-in/return`,
});

/** The endpoint for the app's events. An operator may have removed or changed it: then it stays so. */
async function seedWebhook(
  sql: Database,
  { keys }: StackSettings,
  app: DemoApp,
  url: string,
): Promise<DemoApp['webhook']> {
  if (app.webhook !== undefined) {
    const endpointId = app.webhook.endpointId as WebhookEndpointId;
    await sql`update webhook_endpoint set url = ${url} where endpoint_id = ${endpointId} and url = ${app.webhook.url}`;
    return { ...app.webhook, url };
  }
  const sealEdge = await createSeal(JSON.parse(keys.VAULT_EDGE_KEYS));
  const endpoint = { appId: app.id as AppId, url, eventTypes: WEBHOOK_EVENT_TYPES, field: '--webhook-url' };
  const egress = { production: false, privateNetworks: [] };
  const { endpointId, secret } = await inTransaction(sql, (tx) =>
    addWebhookEndpoint(tx, endpoint, { egress, sealEdge }),
  );
  return { endpointId, url, secret: secret.reveal() };
}

const issuerUrl = ({ ports }: StackSettings) => `${buildHttpUrl(ports.sandbox)}/idp`;

async function makeDemoApp(sql: Database, settings: StackSettings, givenReturnUrl?: string): Promise<DemoApp> {
  const { returnUrl, identityReturnUrl } = returnUrls(settings, givenReturnUrl);
  const tenantKey = 'demo';
  const seal = await createSeal(JSON.parse(settings.keys.VAULT_INBOX_PUBLIC_KEYS));
  const sealEdge = await createSeal(JSON.parse(settings.keys.VAULT_EDGE_KEYS));
  const appId = await insertApp(sql, DEMO_APP);
  await updateApp(sql, appId, { pageColor: DEMO_COLOR });
  await updateLogo(sql, appId, logo.parse(drawDemoLogo()));
  await insertTenant(sql, appId, tenantKey);
  await insertReturnUrl(sql, appId, returnUrl);
  await registerClients(sql, appId, seal, sealEdge);
  const issuer = {
    issuer: issuerUrl(settings),
    clientId: IDP_CLIENT.clientId,
    tokenAuthMethod: 'client_secret_post',
  } as const;
  const issuerId = await insertIssuer(sql, issuer, (id) =>
    seal(IDP_CLIENT.clientSecret, associatedData.issuerSecret(id)),
  );
  await updateIdentitySettings(sql, appId, issuerId, identityReturnUrl);
  const { key } = await issueKey(sql, appId, null);
  return { id: appId, key, tenantKey, returnUrl, identityReturnUrl };
}

async function registerClients(sql: Database, appId: AppId, seal: Seal, sealEdge: Seal): Promise<void> {
  for (const provider of PLATFORMS) {
    const { clientId, clientSecret, metaSecret } = KNOWN_CLIENTS[provider];
    const registration = { provider, label: `Sandbox ${getPublicName(provider)}`, clientId };
    const registrationId = await insertRegistration(sql, registration, (id) =>
      seal(clientSecret, associatedData.clientSecret(id)),
    );
    for (const secret of metaSecret === null ? [clientSecret] : [clientSecret, metaSecret]) {
      const secretId = newId<CallbackSecretId>();
      const sealedSecret = await sealEdge(secret, associatedData.callbackSecret(secretId));
      await insertCallbackSecret(sql, { secretId, registrationId, sealedSecret });
    }
    await insertRegistrationApp(sql, registrationId, appId);
    await updatePolicy(sql, appId, provider, { capabilities: CAPABILITIES });
  }
}

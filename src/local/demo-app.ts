import path from 'node:path';
import { z } from 'zod';
import { logo } from '../domain/operating/input-rules.ts';
import { addWebhookEndpoint } from '../domain/webhooks/operate-endpoints.ts';
import { type AppId, type CallbackSecretId, newId, type WebhookEndpointId } from '../ids.ts';
import { CAPABILITIES } from '../providers/provider.ts';
import { DEMO_APP, IDP_CLIENT, KNOWN_CLIENTS } from '../sandbox/clients.ts';
import { PLATFORMS, PUBLIC_NAMES } from '../sandbox/model.ts';
import { Secret } from '../secret.ts';
import { updateBranding, updateLogo } from '../store/branding.ts';
import { insertCallbackSecret } from '../store/platform-callbacks.ts';
import {
  insertApp,
  insertIssuer,
  insertRegistration,
  insertRegistrationApp,
  insertReturnUrl,
  insertTenant,
  issueKey,
  updateIdentitySettings,
  updatePolicy,
} from '../store/setup.ts';
import { type Database, inTransaction, openDatabase } from '../store/sql.ts';
import { associatedData } from '../vault/associated-data.ts';
import { createSeal, type Seal } from '../vault/seal.ts';
import { WEBHOOK_EVENT_TYPES } from '../webhooks/event-types.ts';
import { DEMO_COLOR, drawDemoLogo } from './demo-logo.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';
import { buildHttpUrl, type StackSettings } from './services.ts';

/** An app with every permission, to try things with. */
export const DemoApp = z.object({
  id: z.string(),
  key: z.string(),
  tenantKey: z.string(),
  returnUrl: z.string(),
  identityReturnUrl: z.string(),
  /** Of the endpoint to which the service sends the example's events. */
  webhook: z.object({ endpointId: z.string(), url: z.string(), secret: z.string() }).optional(),
});
export type DemoApp = z.infer<typeof DemoApp>;

/** Kept beside the database, which has only the hash of its key. */
const fileOf = ({ folder }: StackSettings) => path.join(folder, 'demo-app.json');

/** The demo app, made as an operator would make one; the same one as long as its database is. `returnUrl` replaces the example caller's. */
export async function seedDemoApp(settings: StackSettings, returnUrl?: string): Promise<DemoApp> {
  const sql = openDatabase(new Secret(settings.databaseUrl), { poolSize: 2, applicationName: 'local stack' });
  try {
    const kept = readPrivateJson(fileOf(settings), DemoApp);
    const known = kept === undefined ? [] : await sql`select from app where app_id = ${kept.id}`;
    const made = kept === undefined || known.length === 0 ? await makeDemoApp(sql, settings, returnUrl) : kept;
    // The caller's port may be another this time. A caller of its own, with `returnUrl`, has no endpoint for webhooks yet.
    const webhook = returnUrl === undefined ? await seedWebhook(sql, settings, made) : undefined;
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

/** The endpoint of the example caller. An operator may have removed or changed it: then it stays so. */
async function seedWebhook(sql: Database, { ports, keys }: StackSettings, app: DemoApp): Promise<DemoApp['webhook']> {
  const url = `${buildHttpUrl(ports.caller)}/webhooks`;
  if (app.webhook !== undefined) {
    const endpointId = app.webhook.endpointId as WebhookEndpointId;
    await sql`update webhook_endpoint set url = ${url} where endpoint_id = ${endpointId} and url = ${app.webhook.url}`;
    return { ...app.webhook, url };
  }
  const sealEdge = await createSeal(JSON.parse(keys.VAULT_EDGE_KEYS));
  const endpoint = { appId: app.id as AppId, url, eventTypes: WEBHOOK_EVENT_TYPES, field: 'url' };
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
  await updateBranding(sql, appId, { color: DEMO_COLOR });
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
    const registration = { provider, label: `Sandbox ${PUBLIC_NAMES[provider]}`, clientId };
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

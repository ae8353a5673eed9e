import path from 'node:path';
import { z } from 'zod';
import { type AppId, type CallbackSecretId, newId } from '../ids.ts';
import { CAPABILITIES } from '../providers/provider.ts';
import { IDP_CLIENT, KNOWN_CLIENTS } from '../sandbox/clients.ts';
import { PLATFORMS } from '../sandbox/model.ts';
import { Secret } from '../secret.ts';
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
import { type Database, openDatabase } from '../store/sql.ts';
import { associatedData } from '../vault/associated-data.ts';
import { createSeal, type Seal } from '../vault/seal.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';
import { buildHttpUrl, type StackSettings } from './services.ts';

/** An app with every permission, to try things with. */
export const DemoApp = z.object({
  id: z.string(),
  key: z.string(),
  tenantKey: z.string(),
  returnUrl: z.string(),
  identityReturnUrl: z.string(),
});
export type DemoApp = z.infer<typeof DemoApp>;

/** Kept beside the database, which has only the hash of its key. */
const fileOf = ({ folder }: StackSettings) => path.join(folder, 'demo-app.json');

/** The demo app, made as an operator would make one; the same one as long as its database is. */
export async function seedDemoApp(settings: StackSettings): Promise<DemoApp> {
  const sql = openDatabase(new Secret(settings.databaseUrl), { poolSize: 2, applicationName: 'local stack' });
  try {
    const kept = readPrivateJson(fileOf(settings), DemoApp);
    const known = kept === undefined ? [] : await sql`select from app where app_id = ${kept.id}`;
    if (kept === undefined || known.length === 0) return await makeDemoApp(sql, settings);
    // The caller's port may be another this time.
    const app = { ...kept, ...returnUrls(settings) };
    if (app.returnUrl !== kept.returnUrl) {
      await insertReturnUrl(sql, app.id as AppId, app.returnUrl);
      await sql`update app_identity set return_url = ${app.identityReturnUrl} where app_id = ${app.id}`;
      await sql`update identity_issuer set issuer = ${issuerUrl(settings)} where client_id = ${IDP_CLIENT.clientId}`;
      writePrivateJson(fileOf(settings), app);
    }
    return app;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const returnUrls = ({ ports }: StackSettings) => ({
  returnUrl: `${buildHttpUrl(ports.caller)}/connect/return`,
  identityReturnUrl: `${buildHttpUrl(ports.caller)}/sign-in/return`,
});

const issuerUrl = ({ ports }: StackSettings) => `${buildHttpUrl(ports.sandbox)}/idp`;

async function makeDemoApp(sql: Database, settings: StackSettings): Promise<DemoApp> {
  const { returnUrl, identityReturnUrl } = returnUrls(settings);
  const tenantKey = 'demo';
  const seal = await createSeal(JSON.parse(settings.keys.VAULT_INBOX_PUBLIC_KEYS));
  const sealEdge = await createSeal(JSON.parse(settings.keys.VAULT_EDGE_KEYS));
  const appId = await insertApp(sql, 'Demo Studio');
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
  const app = { id: appId, key, tenantKey, returnUrl, identityReturnUrl };
  writePrivateJson(fileOf(settings), app);
  return app;
}

async function registerClients(sql: Database, appId: AppId, seal: Seal, sealEdge: Seal): Promise<void> {
  for (const provider of PLATFORMS) {
    const { clientId, clientSecret, metaSecret } = KNOWN_CLIENTS[provider];
    const registration = { provider, label: `Sandbox ${provider}`, clientId };
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

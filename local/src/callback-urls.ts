import type { Platform } from '../../sandbox/src/model.ts';
import { Secret } from '../../src/basics/secret.ts';
import { type Database, openDatabase } from '../../src/store/driver/sql.ts';
import type { DemoApp } from './demo-app.ts';
import { buildHttpUrl } from './ports.ts';
import type { StackSettings } from './settings.ts';

/** For each platform, the client setting that holds the URL of each of our callback paths. */
const CALLBACKS: Readonly<Partial<Record<Platform, Readonly<Record<string, string>>>>> = {
  PROVIDER_B: { webhookUrl: 'provider-b/{registration}/events' },
  PROVIDER_C: {
    webhookUrl: 'provider-c/{registration}/deauthorize',
    dataDeletionUrl: 'provider-c/{registration}/data-deletion',
  },
};

/** Registers our callback URLs at the sandbox's platforms, as an operator does at the real ones. */
export async function registerCallbackUrls(settings: StackSettings, app: DemoApp): Promise<void> {
  const sql = openDatabase(new Secret(settings.databaseUrl), { poolSize: 1, applicationName: 'local stack' });
  try {
    for (const { provider, clientId, registrationId } of await registrationsOf(sql, app)) {
      const paths = Object.entries(CALLBACKS[provider as Platform] ?? {});
      if (paths.length === 0) continue;
      const base = `${buildHttpUrl(settings.ports.api)}/api/platform`;
      const urls = paths.map(([name, path]) => [name, `${base}/${path.replace('{registration}', registrationId)}`]);
      const response = await fetch(`${buildHttpUrl(settings.ports.sandbox)}/control/clients`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ provider, clientId, ...Object.fromEntries(urls) }),
      });
      if (!response.ok) throw new Error(`The sandbox refused the callback URLs with status ${response.status}.`);
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function registrationsOf(sql: Database, app: DemoApp) {
  return await sql<{ provider: string; clientId: string; registrationId: string }[]>`
    select provider, client_id, registration_id from registration join registration_app using (registration_id)
    where app_id = ${app.id} and exists (
      select from platform_callback_secret s where s.registration_id = registration.registration_id
    )
  `;
}

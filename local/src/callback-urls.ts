import { EMULATIONS } from '../../sandbox/src/emulations.ts';
import type { Platform } from '../../sandbox/src/model.ts';
import { Secret } from '../../src/basics/secret.ts';
import { type Database, openDatabase } from '../../src/store/driver/sql.ts';
import type { DemoApp } from './demo-app.ts';
import { buildHttpUrl } from './ports.ts';
import type { StackSettings } from './settings.ts';

/** Registers our callback URLs at the sandbox's platforms, as an operator does at the real ones. */
export async function registerCallbackUrls(settings: StackSettings, app: DemoApp): Promise<void> {
  const sql = openDatabase(new Secret(settings.databaseUrl), { poolSize: 1, applicationName: 'local stack' });
  try {
    for (const { provider, clientId, registrationId } of await registrationsOf(sql, app)) {
      const { callbacks } = EMULATIONS[provider];
      if (callbacks.length === 0) continue;
      const slug = provider.toLowerCase().replace('_', '-');
      const base = `${buildHttpUrl(settings.ports.api)}/api/platform/${slug}/${registrationId}`;
      const urls = callbacks.map(({ url, path }) => [url, `${base}/${path}`]);
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
  return await sql<{ provider: Platform; clientId: string; registrationId: string }[]>`
    select provider, client_id, registration_id from registration join registration_app using (registration_id)
    where app_id = ${app.id} and exists (
      select from platform_callback_secret s where s.registration_id = registration.registration_id
    )
  `;
}

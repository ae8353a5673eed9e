import { buildHttpUrl } from '../../local/src/ports.ts';
import type { LoggedCall } from '../../sandbox/src/calls.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { createOpen } from '../../src/vault/open.ts';
import type { TestService } from '../../test/kit/service.ts';

/** The access token of a connection's grant. */
export async function findAccessToken({ database, settings }: TestService, connectionId: string): Promise<string> {
  const [row] = await database.sql`
    select grant_id, sealed_tokens from account_grant where connection_id = ${connectionId} and status = 'LIVE'
  `;
  const open = await createOpen(JSON.parse(settings.keys.VAULT_GRANT_KEYS));
  const opened = await open(row?.sealedTokens, associatedData.tokens(row?.grantId));
  return JSON.parse(opened.reveal()).accessToken;
}

/** Makes the same calls to PROVIDER_B one after another, and parses each answer. */
export async function callAgain({ settings }: TestService, token: string, calls: readonly LoggedCall[]): Promise<void> {
  for (const { method, path, parameters } of calls) {
    const { fields, ...body } = parameters;
    const url = `${buildHttpUrl(settings.ports.sandbox)}${path}?fields=${encodeURIComponent(String(fields))}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
    const answer = (await response.json()) as { data?: { videos?: readonly unknown[] }; error?: { code?: string } };
    if (response.status !== 200 || !answer.data?.videos?.length)
      throw new Error(`Not a page: ${JSON.stringify(answer)}`);
  }
}

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { ProviderFacts } from '../../src/providers/facts.ts';
import { allow, Browser } from './browser.ts';

/** A person's consent to a client, on the platform's own page. @returns the code that came back, and its verifier */
export async function consentTo(
  { pkce, buildAuthorizationRequest, readAuthorizationResponse }: ProviderFacts,
  asked: { clientId: string; redirectUri: string; permissions: readonly string[] },
  { account, permissions = asked.permissions }: { account: string; permissions?: readonly string[] },
) {
  const codeVerifier = pkce === null ? null : randomBytes(32).toString('base64url');
  const codeChallenge =
    codeVerifier &&
    createHash('sha256')
      .update(codeVerifier)
      .digest(pkce ?? 'hex');
  const browser = new Browser(new URL('/', asked.redirectUri).href);
  const page = await browser.open(buildAuthorizationRequest({ ...asked, state: randomUUID(), codeChallenge }));
  const back = await browser.submit(page, allow(account, permissions));
  const answer = readAuthorizationResponse(new URL(back.url).searchParams);
  if (answer.kind !== 'code') throw new Error(`The consent led to ${back.url}.`);
  return { code: answer.code, codeVerifier };
}

import { createHash } from 'node:crypto';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { buildIssuer } from './authorize.ts';

const ALGORITHM = 'RS256';
const KEY_ID = 'sandbox-a';
const LIFE_SECONDS = 3600;

let signingKey: ReturnType<typeof generateKeyPair> | undefined;

/** The public keys of id_tokens by id, as PEM. Google's are certificates. */
export async function listIdTokenKeys(): Promise<Readonly<Record<string, string>>> {
  signingKey ??= generateKeyPair(ALGORITHM);
  return { [KEY_ID]: await exportSPKI((await signingKey).publicKey) };
}

/** Issues the id_token of a token response, signed with a key that is created on first use. */
export async function issueIdToken(
  { url, nowMs }: { readonly url: string; readonly nowMs: number },
  { clientId, subject, accessToken }: Readonly<Record<'clientId' | 'subject' | 'accessToken', string>>,
): Promise<string> {
  signingKey ??= generateKeyPair(ALGORITHM);
  const { privateKey } = await signingKey;
  const iat = Math.floor(nowMs / 1000);
  const half = createHash('sha256').update(accessToken, 'ascii').digest().subarray(0, 16);
  const claims = { azp: clientId, at_hash: half.toString('base64url'), iat, exp: iat + LIFE_SECONDS };
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID, typ: 'JWT' })
    .setIssuer(buildIssuer(url))
    .setAudience(clientId)
    .setSubject(subject)
    .sign(privateKey);
}

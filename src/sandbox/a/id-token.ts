import { createHash } from 'node:crypto';
import { generateKeyPair, SignJWT } from 'jose';
import type { Grant } from '../model.ts';
import { ISSUER } from './authorize.ts';

const ALGORITHM = 'RS256';
const LIFE_SECONDS = 3600;

/** Writes the id_tokens of PROVIDER_A's token answers, with a key made when it is first needed. */
export class IdTokens {
  #key: ReturnType<typeof generateKeyPair> | undefined;

  async issue(grant: Grant, accessToken: string, nowMs: number): Promise<string> {
    this.#key ??= generateKeyPair(ALGORITHM);
    const { privateKey } = await this.#key;
    const iat = Math.floor(nowMs / 1000);
    const half = createHash('sha256').update(accessToken, 'ascii').digest().subarray(0, 16);
    const claims = { azp: grant.clientId, at_hash: half.toString('base64url'), iat, exp: iat + LIFE_SECONDS };
    return await new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, kid: 'sandbox-a', typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(grant.clientId)
      .setSubject(grant.principal)
      .sign(privateKey);
  }
}

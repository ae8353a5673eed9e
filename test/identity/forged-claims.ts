import type { JWTPayload } from 'jose';
import { CLIENT } from './issuer.ts';

export const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/** Claims of an id_token that no sign-in accepts. */
export const FORGED: readonly (readonly [string, () => JWTPayload])[] = [
  ['another issuer', () => ({ iss: 'https://evil.example' })],
  ['another audience', () => ({ aud: 'other' })],
  ['several audiences and no authorized party', () => ({ aud: ['other', CLIENT.clientId] })],
  ['another authorized party', () => ({ azp: 'other' })],
  ['an expiry over a minute ago', () => ({ exp: inSeconds(-70) })],
  ['a time of issue before the attempt', () => ({ iat: inSeconds(-180) })],
  ['a time of issue over a minute from now', () => ({ iat: inSeconds(70) })],
  ['another nonce', () => ({ nonce: 'other' })],
  ['a sub that is a number', () => ({ sub: 1082 as unknown as string })],
  ['a hash of another access token', () => ({ at_hash: 'x'.repeat(22) })],
  ['a sign-in of the person over a minute from now', () => ({ auth_time: inSeconds(70) })],
];

import { z } from 'zod';
import type { Mac } from '../../vault/mac.ts';
import { type AuthenticatedCookie, createAuthenticatedCookie } from './authenticated-cookie.ts';

const SIGN_IN_SECONDS = 10 * 60;
const KNOWN_SECONDS = 90 * 24 * 60 * 60;

interface CookieOptions {
  readonly mac: Mac;
  readonly secure: boolean;
  readonly now: () => Date;
}

/** A sign-in in progress. */
const Begun = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  begunAtMs: z.number(),
  /** True if a person with a session signs in again. */
  again: z.boolean(),
  /** The console path to return to. */
  returnPath: z.string(),
  /** SHA-256 of the session that it replaces, in base64url. */
  replaces: z.string().nullable(),
});
export type SignInBegun = z.infer<typeof Begun>;

/** The browser's state of a sign-in until it returns from the issuer, for ten minutes. */
export const createSignInCookie = ({ mac, secure, now }: CookieOptions): AuthenticatedCookie<SignInBegun> =>
  createAuthenticatedCookie(mac, Begun, {
    name: 'admin_sign_in',
    purpose: 'operator-sign-in',
    seconds: SIGN_IN_SECONDS,
    secure,
    now,
  });

/** A browser in which an operator has signed in. The id is random and identifies no one. */
const KnownBrowser = z.object({ id: z.string() });

/** Distinguishes a browser in which an operator signed in within 90 days from others at the same address. */
export const createKnownBrowserCookie = ({
  mac,
  secure,
  now,
}: CookieOptions): AuthenticatedCookie<z.infer<typeof KnownBrowser>> =>
  createAuthenticatedCookie(mac, KnownBrowser, {
    name: 'admin_browser',
    purpose: 'operator-browser',
    seconds: KNOWN_SECONDS,
    secure,
    now,
  });

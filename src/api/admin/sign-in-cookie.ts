import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { Mac } from '../../vault/mac.ts';

const SIGN_IN_SECONDS = 10 * 60;
const MAC_BYTES = 32;

/** A sign-in in progress. */
const Begun = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** True if a person with a session signs in again. */
  again: z.boolean(),
  /** The console path to return to. */
  returnPath: z.string(),
  /** SHA-256 of the session that it replaces, in base64url. */
  replaces: z.string().nullable(),
});
export type SignInBegun = z.infer<typeof Begun>;

const Kept = Begun.extend({ untilMs: z.number() });

/**
 * The browser's state of a sign-in until it returns from the issuer. It is authenticated, not secret, and valid for ten
 * minutes.
 */
export interface SignInCookie {
  write(c: Context, begun: SignInBegun): void;
  /** Reads and deletes the cookie. @returns undefined unless we wrote it for this `state` within ten minutes. */
  take(c: Context, state: string | undefined): SignInBegun | undefined;
}

export function createSignInCookie(mac: Mac, secure: boolean): SignInCookie {
  const name = `${secure ? '__Host-' : ''}admin_sign_in`;
  // Lax, because the issuer starts the navigation back.
  const attributes = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const;
  return {
    write(c, begun) {
      const text = JSON.stringify({ ...begun, untilMs: Date.now() + SIGN_IN_SECONDS * 1_000 });
      const bytes = Buffer.concat([mac.of('operator-sign-in', text), Buffer.from(text)]);
      setCookie(c, name, bytes.toString('base64url'), { ...attributes, maxAge: SIGN_IN_SECONDS });
    },

    take(c, state) {
      const bytes = Buffer.from(getCookie(c, name) ?? '', 'base64url');
      deleteCookie(c, name, { path: '/', secure });
      const text = bytes.subarray(MAC_BYTES).toString();
      if (!mac.verify(bytes.subarray(0, MAC_BYTES), 'operator-sign-in', text)) return undefined;
      const { untilMs, ...begun } = Kept.parse(JSON.parse(text));
      return begun.state === state && Date.now() < untilMs ? begun : undefined;
    },
  };
}

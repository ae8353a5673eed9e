import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { Mac } from '../../vault/mac.ts';

const SIGN_IN_SECONDS = 10 * 60;
const MAC_BYTES = 32;

/** A sign-in under way. */
const Begun = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** Whether it proves anew who has a session already. */
  again: z.boolean(),
  /** Where the console goes on, as a path. */
  returnPath: z.string(),
  /** SHA-256 of the session that it is to end, in base64url. */
  replaces: z.string().nullable(),
});
export type SignInBegun = z.infer<typeof Begun>;

const Kept = Begun.extend({ untilMs: z.number() });

/**
 * What a browser keeps of a sign-in that it has begun, until it comes back from the issuer: good for ten minutes, and only
 * as we wrote it. It is no secret from this browser.
 */
export interface SignInCookie {
  write(c: Context, begun: SignInBegun): void;
  /** Takes it from the browser. @returns undefined unless we wrote it, less than ten minutes ago, for this `state`. */
  take(c: Context, state: string | undefined): SignInBegun | undefined;
}

export function createSignInCookie(mac: Mac, secure: boolean): SignInCookie {
  const name = `${secure ? '__Host-' : ''}admin_sign_in`;
  // Lax: the way back is a navigation that the issuer starts.
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

import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { Mac } from '../../vault/mac.ts';

const MAC_BYTES = 32;

/** A cookie that only we can write. It is not secret to its browser, and it ends by its own date. */
export interface AuthenticatedCookie<Value> {
  write(c: Context, value: Value): void;
  /** @returns undefined unless we wrote it, and it has not ended. */
  read(c: Context): Value | undefined;
  delete(c: Context): void;
}

/**
 * @param cookie.purpose of its keyed hash.
 * @param cookie.secure true if browsers connect over https.
 * @param cookie.now the business time.
 */
export function createAuthenticatedCookie<Value extends object>(
  mac: Mac,
  schema: z.ZodType<Value>,
  cookie: {
    readonly name: string;
    readonly purpose: string;
    readonly seconds: number;
    readonly secure: boolean;
    readonly now: () => Date;
  },
): AuthenticatedCookie<Value> {
  const { purpose, seconds, secure, now } = cookie;
  const name = `${secure ? '__Host-' : ''}${cookie.name}`;
  // Lax, because the issuer starts the navigation back.
  const attributes = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const;
  const Dated = z.object({ untilMs: z.number() });
  return {
    write(c, value) {
      const text = JSON.stringify({ ...value, untilMs: now().getTime() + seconds * 1_000 });
      const bytes = Buffer.concat([mac.of(purpose, text), Buffer.from(text)]);
      setCookie(c, name, bytes.toString('base64url'), { ...attributes, maxAge: seconds });
    },

    read(c) {
      const bytes = Buffer.from(getCookie(c, name) ?? '', 'base64url');
      const text = bytes.subarray(MAC_BYTES).toString();
      if (!mac.verify(bytes.subarray(0, MAC_BYTES), purpose, text)) return undefined;
      const json: unknown = JSON.parse(text);
      // One that an earlier version wrote may lack a value.
      const parsed = schema.safeParse(json);
      return parsed.success && now().getTime() < Dated.parse(json).untilMs ? parsed.data : undefined;
    },

    delete: (c) => void deleteCookie(c, name, { path: '/', secure }),
  };
}

import { z } from 'zod';
import type { SettingsChange } from './control.ts';

const seconds = z.int().min(1);

const SettingsBody = z.strictObject({
  a: z
    .strictObject({
      accessSeconds: seconds,
      refreshSeconds: seconds.nullable(),
      unitsPerDay: z.int().min(0),
      quotaAnswer: z.enum(['quotaExceeded', 'rateLimitExceeded']),
      refreshRefusal: z.string().min(1).nullable(),
      projectSuspended: z.boolean(),
      brandSubject: z.enum(['owner', 'own']),
      brandConsentHangs: z.boolean(),
    })
    .partial()
    .optional(),
  b: z
    .strictObject({
      accessSeconds: seconds,
      refreshSeconds: seconds,
      pkce: z.enum(['none', 'base64url', 'hex']),
      callsPerMinute: z.int().min(0),
      approvedScopes: z.array(z.string()).nullable(),
      shortLinks: z.enum(['redirect', 'page']),
    })
    .partial()
    .optional(),
  c: z
    .strictObject({
      shortSeconds: seconds,
      longSeconds: seconds,
      tokenAnswer: z.enum(['flat', 'wrapped']),
      permissionsAs: z.enum(['text', 'list']),
      refusedFields: z.array(z.string()),
      refusedMetrics: z.array(z.string()),
      callsPerDay: z.int().min(0),
      checksSecretProofs: z.boolean(),
      accountsNotServed: z.array(z.string()),
      appState: z.enum(['live', 'blocked', 'deactivated', 'proofRequired']),
      mostPerPage: z.int().min(1),
    })
    .partial()
    .optional(),
});

/** Reads a change of `SandboxSettings` for the control API and the control page. @throws ZodError */
export function readSettings(given: unknown): SettingsChange {
  const { a = {}, b = {}, c = {} } = SettingsBody.parse(given);
  return { a: omitUndefined(a), b: omitUndefined(b), c: omitUndefined(c) };
}

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };
/** Omits undefined members, which zod's types allow but JSON does not have. */
export const omitUndefined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>;

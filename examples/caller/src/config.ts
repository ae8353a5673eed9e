import { z } from 'zod';

const origin = z.url().refine((text) => new URL(text).origin === text, 'must be an origin, such as https://host');
const words = z.string().transform((text) => text.split(/\s+/).filter((word) => word !== ''));
const secret = z.string().regex(/^whsec_[A-Za-z0-9+/]+=*$/, 'must be whsec_ and base64');

/** README.md describes the variables. */
const Variables = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8070),
  PUBLIC_URL: origin,
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  SERVICE_GRAPHQL_URL: z.url(),
  /** The application key. It never leaves this process except in requests to the service. */
  SERVICE_API_KEY: z.string().min(1),
  TENANT_KEY: z.string().min(1).max(128),
  IMAGE_SOURCES: words.prefault('https:'),
  VISIT_URL: z.url().optional(),
  /** Two secrets while one replaces the other. */
  WEBHOOK_SECRETS: words.prefault('').pipe(z.array(secret)),
  DATA_FILE: z.string().min(1).optional(),
  /** The pages of your privacy policy and terms. Without one, the example shows its own. */
  PRIVACY_URL: z.url().optional(),
  TERMS_URL: z.url().optional(),
  /** Of each provider: an image of its mark, from its brand resources. Without one, its name stands beside its data. */
  PROVIDER_A_MARK_URL: z.url().optional(),
  PROVIDER_B_MARK_URL: z.url().optional(),
  PROVIDER_C_MARK_URL: z.url().optional(),
  /** Confirms that YouTube has accepted your use of derived metrics: totals and averages of its counts. */
  YOUTUBE_DERIVED_METRICS: z.literal('accepted').optional(),
  /** Of each provider: the page where people remove an app from their account. */
  PROVIDER_A_APPS_URL: z.url().default('https://security.google.com/settings/security/permissions'),
  PROVIDER_B_APPS_URL: z.url().optional(),
  PROVIDER_C_APPS_URL: z.url().optional(),
});

/** Reads the environment variables. @throws Error that lists every invalid variable. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const { data, error } = Variables.safeParse(variables);
  if (data !== undefined) return data;
  const errors = error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw new Error(`The environment is not valid:\n${errors.join('\n')}`);
}
export type Config = z.infer<typeof Variables>;

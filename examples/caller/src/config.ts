import { z } from 'zod';

const origin = z.url().refine((text) => new URL(text).origin === text, 'must be an origin, such as https://host');
const origins = z
  .string()
  .transform((text) => text.split(/\s+/).filter((part) => part !== ''))
  .pipe(z.array(origin).min(1));

const Variables = z.object({
  /** The address that this application listens on. */
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8070),
  /** The origin in browsers. `/connect/return` and `/sign-in/return` below it are registered with the service as return URLs. */
  PUBLIC_URL: origin,
  /** The number of reverse proxies in front, each of which appends to `X-Forwarded-For`. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  SERVICE_GRAPHQL_URL: z.url(),
  /** The application key. It never leaves this process except in requests to the service. */
  SERVICE_API_KEY: z.string().min(1),
  TENANT_KEY: z.string().min(1).max(128),
  /**
   * The origins that a launch may lead to, separated by spaces: the service's connect host, each provider's authorization
   * page and the identity provider. Browsers check every redirect after a form against the page's `form-action`.
   */
  LAUNCH_ORIGINS: origins,
  /** The sources of images. */
  IMAGE_SOURCES: z.string().default('https:'),
  /**
   * In development: the page that stands in for the platforms' own. Links to accounts and posts lead there, with the
   * platform's URL in the parameter `url`.
   */
  VISIT_URL: z.url().optional(),
  /** The page where people remove an app from their account, for each provider. */
  PROVIDER_A_APPS_URL: z.url().optional(),
  PROVIDER_B_APPS_URL: z.url().optional(),
  PROVIDER_C_APPS_URL: z.url().optional(),
  /**
   * The secrets of the webhook endpoint `/webhooks` below `PUBLIC_URL`, separated by spaces: two while one replaces the other.
   * Without one, the application takes no webhooks and its pages poll.
   */
  WEBHOOK_SECRETS: z
    .string()
    .default('')
    .transform((text) => text.split(/\s+/).filter((part) => part !== ''))
    .pipe(z.array(z.string().regex(/^whsec_[A-Za-z0-9+/]+=*$/, 'must be whsec_ and base64'))),
  /** Stores users and sign-ins across restarts. Without it, they are in memory only. */
  DATA_FILE: z.string().min(1).optional(),
});

/** Reads the environment variables. @throws Error that lists every invalid variable. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>) {
  const { data, error } = Variables.safeParse(variables);
  if (error) {
    const errors = error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
    throw new Error(`The environment is not valid:\n${errors.join('\n')}`);
  }
  return {
    host: data.HOST,
    port: data.PORT,
    publicUrl: data.PUBLIC_URL,
    trustedProxies: data.TRUSTED_PROXIES,
    service: { url: data.SERVICE_GRAPHQL_URL, key: data.SERVICE_API_KEY },
    tenantKey: data.TENANT_KEY,
    launchOrigins: data.LAUNCH_ORIGINS,
    imageSources: data.IMAGE_SOURCES.split(/\s+/),
    visitUrl: data.VISIT_URL,
    appsUrls: {
      PROVIDER_A: data.PROVIDER_A_APPS_URL,
      PROVIDER_B: data.PROVIDER_B_APPS_URL,
      PROVIDER_C: data.PROVIDER_C_APPS_URL,
    },
    webhookSecrets: data.WEBHOOK_SECRETS,
    dataFile: data.DATA_FILE,
  };
}
export type Config = ReturnType<typeof readConfig>;

import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { makeKeys } from '../../local/src/development-keys.ts';
import type { ProviderName } from '../../src/basics/codes.ts';
import { Secret } from '../../src/basics/secret.ts';
import { readConfig } from '../../src/config/config.ts';
import { createAdapters } from '../../src/providers/adapters.ts';
import { createHttp } from '../../src/providers/http.ts';
import type { Client, Provider, Tokens } from '../../src/providers/provider.ts';

/** The acts of the suite on a grant, besides reads. */
export type Write = 'refresh' | 'revoke';

/** A platform or its replacement, with one account that has consented. */
export interface Target {
  readonly provider: Provider;
  /** Undefined without tokens: the tests that need them are skipped. */
  readonly client: Client | undefined;
  readonly tokens: Tokens;
  readonly mayWrite: (write: Write) => boolean;
  /** Stores the tokens of a refresh: with rotation, the old ones are invalid. */
  keep(tokens: Tokens): void;
  /** Only where the test controls the clock. */
  skipTime?(seconds: number): void;
}

/** In the format that `npm run contract -- <provider> --consent` and `keep` write. */
const KeptTokens = z.object({
  accessToken: z.string(),
  accessExpiresAt: z.coerce.date().nullable(),
  refreshToken: z.string().nullable(),
  refreshExpiresAt: z.coerce.date().nullable(),
  permissions: z.array(z.string()),
});

const Given = z.object({
  CONTRACT_CLIENT_ID: z.string().optional(),
  CONTRACT_CLIENT_SECRET: z.string().optional(),
  CONTRACT_TOKENS_FILE: z.string(),
  CONTRACT_WRITE: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean))
    .pipe(z.array(z.enum(['refresh', 'revoke']))),
});

export interface RealPlatform {
  open(name: ProviderName, keep: (tokens: Tokens) => void): Promise<Target & { close(): Promise<void> }>;
}

/** The real platform, by an earlier consent; undefined without one. */
export function findRealPlatform(environment: Readonly<Record<string, string | undefined>>): RealPlatform | undefined {
  const given = Given.parse(environment);
  const kept = readKept(given.CONTRACT_TOKENS_FILE);
  if (kept === undefined) return undefined;
  const tokens: Tokens = {
    ...kept,
    accessToken: new Secret(kept.accessToken),
    refreshToken: kept.refreshToken === null ? null : new Secret(kept.refreshToken),
  };
  const { CONTRACT_CLIENT_ID: clientId, CONTRACT_CLIENT_SECRET: clientSecret } = given;
  const client = clientId && clientSecret ? { clientId, clientSecret: new Secret(clientSecret) } : undefined;
  return {
    async open(name, keep) {
      // Base URLs and similar settings may be those of the service; the rest of its configuration is unused.
      const config = readConfig('api', {
        ...environment,
        ...(await makeKeys()),
        DEPLOYMENT: 'development',
        DATABASE_URL: 'postgres://nobody@localhost/nothing',
        CONNECT_URL: 'http://localhost',
      });
      // A stand-in on this machine is allowed only in development.
      const http = createHttp({
        production: environment.DEPLOYMENT !== 'development',
        userAgent: 'social-account-connection-service',
      });
      return {
        provider: createAdapters(config, http, () => new Date())[name],
        client,
        tokens,
        mayWrite: (write) => given.CONTRACT_WRITE.includes(write),
        keep,
        close: () => http.close(),
      };
    },
  };
}

const readKept = (file: string): z.output<typeof KeptTokens> | undefined =>
  existsSync(file) ? KeptTokens.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;

import { ConfigError } from './config.ts';
import { RefusedDatabaseError, ServiceError } from './errors.ts';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Of Postgres, by the code of its error or of the connection's. */
const DATABASE: readonly (readonly [RegExp, string])[] = [
  [
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ECONNRESET|CONNECT_TIMEOUT|CONNECTION_.*|57P.*)$/,
    'The database cannot be reached',
  ],
  [/^(28.*|3D000)$/, 'The database refuses the login or has another name: see DATABASE_URL'],
  [
    /^42501$/,
    'The role of DATABASE_URL lacks a right in the database: run ops/postgres/roles.sql again, or run the command in the environment it needs',
  ],
];

/** What kept a process or command from going on, for whoever started it; undefined where only the log can tell. */
export function explainFailure(error: unknown): string | undefined {
  if ([ConfigError, RefusedDatabaseError, ServiceError].some((kind) => error instanceof kind)) {
    return (error as Error).message;
  }
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    const { address, port } = error as { address?: string; port?: number };
    return `The port ${port} of ${address} is taken: another process listens there.`;
  }
  const [, words] = DATABASE.find(([pattern]) => pattern.test(code)) ?? [];
  return words === undefined ? undefined : `${words} (${code}).`;
}

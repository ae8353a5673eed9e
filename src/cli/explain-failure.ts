import { RefusedDatabaseError, ServiceError } from '../basics/errors.ts';
import { ConfigError } from '../config/config.ts';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Postgres failures by the code of the error or of the connection. */
const DATABASE: readonly (readonly [RegExp, string])[] = [
  [
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ECONNRESET|CONNECT_TIMEOUT|CONNECTION_.*|57P.*)$/,
    'The database cannot be reached',
  ],
  [/^(28.*|3D000)$/, 'The database refuses the login or has another name: see DATABASE_URL'],
  [
    /^42501$/,
    'The role of DATABASE_URL lacks a right in the database: run migrate again, or run the command in the environment it needs',
  ],
];

/** Explains to an operator why a process or command failed. @returns undefined if only the log can say. */
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

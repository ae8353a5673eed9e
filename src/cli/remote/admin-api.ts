import { readFileSync } from 'node:fs';
import { cleanValue } from '../../basics/clean-value.ts';
import { ServiceError } from '../../basics/errors.ts';
import { decodeUtf8 } from '../../basics/utf8.ts';
import { toPrintable } from '../format.ts';
import type { Send } from '../run-command.ts';

/** The URL of the admin API, and the token. */
export interface AdminApiSettings {
  readonly url: string;
  readonly token: string;
}

const PATIENCE_MS = 60_000;
const ENDPOINT = '/api/admin/graphql';
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Reads `ADMIN_API_URL`, and the token from `ADMIN_API_TOKEN` or the file of `ADMIN_API_TOKEN_FILE`. Never from an argument:
 * process lists and shell histories show those.
 * @throws ServiceError `BAD_USER_INPUT`
 */
export function readAdminApiSettings(environment: Readonly<Record<string, string | undefined>>): AdminApiSettings {
  const read = (name: string) => cleanValue(name, environment[name]);
  const address = read('ADMIN_API_URL');
  if (address === undefined)
    throw refuse("Set ADMIN_API_URL to the admin API's address, such as https://accounts.example");
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw refuse('ADMIN_API_URL is not a URL');
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw refuse('ADMIN_API_URL must begin with https://: the token would cross the network in clear text');
  }
  const file = read('ADMIN_API_TOKEN_FILE');
  const token =
    read('ADMIN_API_TOKEN') ?? (file === undefined ? undefined : cleanValue('ADMIN_API_TOKEN', readToken(file)));
  if (token === undefined)
    throw refuse('Set ADMIN_API_TOKEN, or ADMIN_API_TOKEN_FILE to a file that contains the token');
  const path = url.pathname === '/' ? ENDPOINT : url.pathname;
  return { url: `${url.origin}${path}`, token };
}

function readToken(file: string): string {
  try {
    return decodeUtf8(readFileSync(file)) ?? '';
  } catch {
    throw refuse('The file of ADMIN_API_TOKEN_FILE cannot be read');
  }
}

const refuse = (message: string) => new ServiceError('BAD_USER_INPUT', `${message}.`);

interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: {
      readonly code?: string;
      readonly correlationId?: string;
      readonly retryAfterSeconds?: number;
    };
  }[];
}

/** Sends operations. They throw ServiceError with the code of the API's answer, or `UPSTREAM_UNAVAILABLE` without one. */
export const createSend =
  (settings: AdminApiSettings): Send =>
  (query, variables) =>
    sendOperation(settings, query, variables);

async function sendOperation(
  { url, token }: AdminApiSettings,
  query: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { status, answer } = await post(url, token, JSON.stringify({ query, variables }));
  const [error] = answer?.errors ?? [];
  if (error !== undefined) {
    const { code = 'UPSTREAM_UNAVAILABLE', correlationId, retryAfterSeconds } = error.extensions ?? {};
    const reference = correlationId === undefined ? '' : ` (correlation id ${correlationId})`;
    // A server that is none of ours may answer with anything.
    const details = typeof retryAfterSeconds === 'number' ? { retryAfterSeconds } : {};
    throw new ServiceError(code as ServiceError['code'], toPrintable(`${code}: ${error.message}${reference}`), details);
  }
  if (!answer?.data) {
    throw new ServiceError('UPSTREAM_UNAVAILABLE', `The address answers ${status}, but not like an admin API.`);
  }
  return answer.data;
}

async function post(url: string, token: string, body: string): Promise<{ status: number; answer: Answer | undefined }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body,
      redirect: 'error', // A redirect would hand the token to another address.
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    return { status: response.status, answer: parseJson(text) };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw new ServiceError('UPSTREAM_UNAVAILABLE', `The admin API cannot be reached${code}.`);
  }
}

function parseJson(text: string): Answer | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import type { Secret } from '../../secret.ts';
import { readJson, runRepeatable } from '../answers.ts';
import type { AdapterDeps } from '../deps.ts';
import type { Call } from '../provider.ts';
import { findProviderAApiError, listApiReasons } from './errors.ts';

export interface ProviderAApiCall {
  readonly where: string;
  readonly path: '/channels' | '/playlistItems' | '/videos';
  readonly query: Readonly<Record<string, string>>;
  readonly accessToken: Secret;
  /** Error reasons that are an answer to this caller. */
  readonly answers?: readonly string[];
}

export interface ProviderAApiAnswer {
  readonly where: string;
  readonly status: number;
  /** The body, unread. */
  readonly json: unknown;
  /** Which of `answers` it was, or null for a good answer. */
  readonly reason: string | null;
}

/** What each of the lists in `path` costs of the daily quota (YouTube Data API, quota costs). */
const QUOTA_UNITS = 1;

/** One call of the API: one unit of the daily quota. @throws ProviderError for all but a good answer and `answers`. */
export async function callProviderAApi(
  { http, config, now }: AdapterDeps,
  request: ProviderAApiCall,
  call: Call,
): Promise<ProviderAApiAnswer> {
  const { where, path, query, accessToken, answers = [] } = request;
  const url = `${config.PROVIDER_A_API_URL}${path}?${new URLSearchParams(query)}`;
  const headers = { authorization: `Bearer ${accessToken.reveal()}` };
  const answer = await runRepeatable(() =>
    http.request({ where, method: 'GET', url, headers, call, quotaUnits: QUOTA_UNITS }),
  );
  const reason = listApiReasons(answer)?.find((one) => answers.includes(one)) ?? null;
  const failed = reason === null ? findProviderAApiError(answer, where, now()) : undefined;
  if (failed) throw failed;
  return { where, status: answer.status, json: readJson(answer), reason };
}

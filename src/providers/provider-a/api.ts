import type { Secret } from '../../basics/secret.ts';
import { readJson, runRepeatable } from '../answers.ts';
import type { Call } from '../provider.ts';
import { findProviderAApiError, listApiReasons } from './errors.ts';
import type { AdapterDeps } from './settings.ts';

export interface ProviderAApiCall {
  readonly where: string;
  readonly path: '/channels' | '/playlistItems' | '/videos';
  readonly query: Readonly<Record<string, string>>;
  readonly accessToken: Secret;
  /** Error reasons that the caller handles itself. */
  readonly answers?: readonly string[];
}

export interface ProviderAApiAnswer {
  readonly where: string;
  readonly status: number;
  /** The parsed body, not yet validated. */
  readonly json: unknown;
  /** The matching entry of `answers`, or null for a successful answer. */
  readonly reason: string | null;
}

/** Quota units for one call to any of these paths (YouTube Data API, quota costs). */
const QUOTA_UNITS = 1;

/** Calls the API once. @throws ProviderError for any failure except those in `answers` */
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

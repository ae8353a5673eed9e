import type { Secret } from '../../basics/secret.ts';
import { readJson, runRepeatable } from '../answers.ts';
import type { HttpAnswer } from '../http.ts';
import type { Call } from '../provider.ts';
import { findProviderCApiError } from './errors.ts';
import type { AdapterDeps } from './settings.ts';

export interface ProviderCApiCall {
  readonly where: string;
  /** Without the version prefix. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly accessToken: Secret;
}

/** Calls the API once. @returns the answer, successful or not */
export async function callProviderCApi(
  { http, config }: AdapterDeps,
  request: ProviderCApiCall,
  call: Call,
): Promise<HttpAnswer> {
  const { where, path, query, accessToken } = request;
  const base = `${config.PROVIDER_C_API_URL}/${config.PROVIDER_C_API_VERSION}`;
  const url = `${base}${path}?${new URLSearchParams(query)}`;
  const headers = { authorization: `Bearer ${accessToken.reveal()}` };
  return await runRepeatable(() => http.request({ where, method: 'GET', url, headers, call, quotaUnits: 1 }));
}

/** @returns the successful answer, not yet validated. @throws ProviderError for any other answer */
export function requireGoodAnswer({ now }: AdapterDeps, answer: HttpAnswer, where: string) {
  const failed = findProviderCApiError(answer, where, now());
  if (failed) throw failed;
  return { where, status: answer.status, json: readJson(answer) };
}

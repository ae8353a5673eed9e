import type { Secret } from '../../basics/secret.ts';
import { readJson, runRepeatable } from '../answers.ts';
import type { Call } from '../provider.ts';
import { findProviderBApiError } from './errors.ts';
import type { AdapterDeps } from './settings.ts';

export interface ProviderBApiCall {
  readonly where: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The API requires the list of fields in the query, even for a POST. */
  readonly fields: readonly string[];
  readonly json?: unknown;
  readonly accessToken: Secret;
}

/** Calls the API once. @returns the successful answer, not yet validated. @throws ProviderError for any other answer */
export async function callProviderBApi({ http, config, now }: AdapterDeps, request: ProviderBApiCall, call: Call) {
  const { where, method, path, fields, json, accessToken } = request;
  const url = `${config.PROVIDER_B_API_URL}${path}?${new URLSearchParams({ fields: fields.join(',') })}`;
  const headers = { authorization: `Bearer ${accessToken.reveal()}` };
  const body = json === undefined ? {} : { json };
  const answer = await runRepeatable(() => http.request({ where, method, url, headers, ...body, call, quotaUnits: 1 }));
  const failed = findProviderBApiError(answer, where, now());
  if (failed) throw failed;
  return { where, status: answer.status, json: readJson(answer) };
}

import type { Secret } from '../../secret.ts';
import { readJson, repeatable } from '../answers.ts';
import type { Deps } from '../deps.ts';
import type { HttpAnswer } from '../http.ts';
import type { Call } from '../provider.ts';
import { apiFailure } from './errors.ts';

export interface ApiCall {
  readonly where: string;
  /** Below the version. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly accessToken: Secret;
}

/** One call of the API. @returns whatever came back. */
export async function ask({ http, config }: Deps, request: ApiCall, call: Call): Promise<HttpAnswer> {
  const { where, path, query, accessToken } = request;
  const base = `${config.PROVIDER_C_API_URL}/${config.PROVIDER_C_API_VERSION}`;
  const url = `${base}${path}?${new URLSearchParams(query)}`;
  const headers = { authorization: `Bearer ${accessToken.reveal()}` };
  return await repeatable(() => http.request({ where, method: 'GET', url, headers, call, quotaUnits: 1 }));
}

/** @returns a good answer, unread. @throws ProviderError for any other. */
export function demandGood({ now }: Deps, answer: HttpAnswer, where: string) {
  const failed = apiFailure(answer, where, now());
  if (failed) throw failed;
  return { where, status: answer.status, json: readJson(answer) };
}

import type { Secret } from '../../secret.ts';
import type { AdapterDeps } from '../deps.ts';
import type { Call } from '../provider.ts';
import { callProviderCApi, requireGoodAnswer } from './api.ts';
import { findGraphError, isBadParameter } from './errors.ts';

export interface FieldsCall {
  readonly where: string;
  readonly path: string;
  /** All useful fields. `hints` are parameters that Meta documents only for the Facebook-hosted API. */
  readonly full: { readonly fields: readonly string[]; readonly hints?: Readonly<Record<string, string>> };
  /** The fields we cannot do without. */
  readonly least: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly accessToken: Secret;
}

/**
 * Reads fields. One refused field or parameter fails the whole call, and Meta's pages disagree on which are allowed. A
 * refused call is repeated with the `least` fields. `isPlain` in the result is true then, so that the next call can start
 * with them.
 */
export async function readFields(deps: AdapterDeps, request: FieldsCall, isPlain: boolean, call: Call) {
  const { where, path, full, least, query = {}, accessToken } = request;
  if (!isPlain) {
    const fields = full.fields.join(',');
    const answer = await callProviderCApi(
      deps,
      { where, path, query: { ...query, ...full.hints, fields }, accessToken },
      call,
    );
    if (!isBadParameter(findGraphError(answer))) return { ...requireGoodAnswer(deps, answer, where), isPlain };
  }
  const fields = least.join(',');
  const answer = await callProviderCApi(deps, { where, path, query: { ...query, fields }, accessToken }, call);
  return { ...requireGoodAnswer(deps, answer, where), isPlain: true };
}

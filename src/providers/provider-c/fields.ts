import type { Secret } from '../../basics/secret.ts';
import type { Call } from '../provider.ts';
import { callProviderCApi, requireGoodAnswer } from './api.ts';
import { findGraphError, findProviderCApiError, findRefusedField, isBadParameter, wantsSmallerPage } from './errors.ts';
import type { AdapterDeps } from './settings.ts';

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

/** Meta has dropped one field at a time. More refused fields than this mean that it refuses something else. */
const MOST_REFUSED_FIELDS = 3;

/** How many times smaller the page becomes that the platform calls too large. */
const SHRINK = 5;

/**
 * Calls the API. While it answers that the page is too large, requests a smaller one: a page of 50 becomes one of 10, and then of 2.
 * The cursor of a smaller page continues after its own last item.
 */
async function callWithinLimits(deps: AdapterDeps, request: Parameters<typeof callProviderCApi>[1], call: Call) {
  let { query } = request;
  for (;;) {
    const answer = await callProviderCApi(deps, { ...request, query }, call);
    const limit = Number(query.limit ?? 0);
    if (limit < SHRINK || !wantsSmallerPage(findGraphError(answer))) return answer;
    query = { ...query, limit: String(Math.floor(limit / SHRINK)) };
  }
}

/**
 * Reads fields. One refused field or parameter fails the whole call, and Meta's pages disagree on which are allowed. A
 * refused call is repeated without the field that the answer names, or else with the `least` fields. `isPlain` in the result
 * is true then, so that the next call can start with them.
 */
export async function readFields(deps: AdapterDeps, request: FieldsCall, isPlain: boolean, call: Call) {
  const { where, path, full, least, query = {}, accessToken } = request;
  let asked = isPlain ? [] : full.fields;
  while (asked.length > 0) {
    const fields = asked.join(',');
    const answer = await callWithinLimits(
      deps,
      { where, path, query: { ...query, ...full.hints, fields }, accessToken },
      call,
    );
    const error = findGraphError(answer);
    if (!isBadParameter(error)) return { ...requireGoodAnswer(deps, answer, where), isPlain };
    // The call is repeated without it, so this is the only report of the refusal.
    const failure = findProviderCApiError(answer, where, deps.now());
    if (failure !== undefined) deps.report(failure);
    const refused = findRefusedField(error);
    const isDispensable = refused !== undefined && asked.includes(refused) && !least.includes(refused);
    const mayAskAgain = isDispensable && full.fields.length - asked.length < MOST_REFUSED_FIELDS;
    asked = mayAskAgain ? asked.filter((field) => field !== refused) : [];
  }
  const fields = least.join(',');
  const answer = await callWithinLimits(deps, { where, path, query: { ...query, fields }, accessToken }, call);
  return { ...requireGoodAnswer(deps, answer, where), isPlain: true };
}

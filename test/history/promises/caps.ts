import type { Capped } from '../history.ts';
import { broken, type Promised } from '../view.ts';

/** At no moment there may be more. */
const MOST: Readonly<Record<Capped, number>> = {
  'unfinished Connect attempts of a subject and provider': 5,
  'unfinished sign-ins of an app': 20,
  'read jobs of an app in flight': 20,
  'active keys of an app': 2,
};
const REFUSED_BY: Readonly<Record<string, Capped>> = {
  createConnectSession: 'unfinished Connect attempts of a subject and provider',
  createIdpIdentitySession: 'unfinished sign-ins of an app',
  requestRefresh: 'read jobs of an app in flight',
  requestContentLookup: 'read jobs of an app in flight',
};

/** A cap is kept, and refuses only requests that exceed it. Only orders count; elsewhere, a refusal may be right. */
export const caps: Promised = function* ({ entries }) {
  const peaks = new Map<Capped, number>();
  for (const entry of entries) {
    if (entry.type === 'counted') {
      const { of, count } = entry;
      peaks.set(of, Math.max(peaks.get(of) ?? 0, count));
      if (count > MOST[of]) yield broken(entry.flow, `there are ${count} ${of}`);
    }
    const of = entry.type === 'refused' && entry.code === 'RATE_LIMITED' ? REFUSED_BY[entry.field] : undefined;
    const peak = of && peaks.get(of);
    if (of !== undefined && peak !== undefined && peak < MOST[of])
      yield broken(entry.flow, `${entry.type === 'refused' && entry.field} is refused although there is room for it`);
  }
};

import { broken, type Promised, STOPS } from '../view.ts';

const READ_REFUSALS = [
  'RECONNECT_REQUIRED',
  'AUTHORIZATION_SUSPENDED',
  'CAPABILITY_UNAVAILABLE',
  'DISCONNECT_IN_PROGRESS',
  'NOT_FOUND',
  'RATE_LIMITED',
];
/** The codes that each operation may be refused with. UPSTREAM_UNAVAILABLE is allowed to all while something is broken. */
const REFUSALS: Readonly<Record<string, readonly string[]>> = {
  createConnectSession: ['FORBIDDEN', 'NOT_FOUND', 'RECONNECT_REQUIRED', 'DISCONNECT_IN_PROGRESS', 'RATE_LIMITED'],
  createIdpIdentitySession: ['RATE_LIMITED'],
  connectSessionResult: ['NOT_FOUND'],
  redeemIdpIdentityResult: ['NOT_FOUND'],
  syncJob: ['NOT_FOUND'],
  disconnectConnection: ['NOT_FOUND'],
  connection: ['NOT_FOUND', 'RECONNECT_REQUIRED'],
  connections: ['RECONNECT_REQUIRED'],
  content: READ_REFUSALS,
  contentItem: READ_REFUSALS,
  requestRefresh: [...READ_REFUSALS, 'SYNC_WINDOW_BUSY'],
  requestContentLookup: READ_REFUSALS,
};

/** What an operator's stop of an app, its tenant, its policy or its registration may add to each operation. */
const STOPPED = ['FORBIDDEN', 'NOT_FOUND', 'AUTHORIZATION_SUSPENDED', 'CAPABILITY_UNAVAILABLE', 'RECONNECT_REQUIRED'];

/** A refusal has a code of its operation. Once everything is repaired, every request gets a clear answer. */
export const clearAnswers: Promised = function* (view) {
  const settled = view.entries.findIndex((entry) => entry.type === 'phase' && entry.phase === 'settled');
  const hasStopped = view.acts(...STOPS).length > 0;
  for (const { index, entry } of view.calls) {
    const { flow, field } = entry;
    const isSettled = settled >= 0 && index > settled;
    if (entry.type === 'lost' && isSettled) yield broken(flow, `${field} got no answer after the repair`);
    if (entry.type !== 'refused') continue;
    const isPassing = entry.code === 'UPSTREAM_UNAVAILABLE' && !isSettled;
    const isStopped = hasStopped && STOPPED.includes(entry.code);
    if (!isPassing && !isStopped && !REFUSALS[field]?.includes(entry.code)) {
      yield broken(flow, `${field} was refused with ${entry.code}${isSettled ? ' after the repair' : ''}`);
    }
  }
};

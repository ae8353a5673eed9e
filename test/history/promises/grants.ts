import { broken, finalConnections, type Promised, REMOVE, type View } from '../view.ts';

/** A usable grant at a platform belongs to a connection that its caller still sees, or a person was asked to remove it. */
export const noGrantLeft: Promised = function* (view) {
  const owners = new Map<string, string>();
  for (const entry of view.entries) {
    if (entry.type === 'browser' && entry.account !== undefined) owners.set(entry.account, entry.flow);
  }
  const connected = new Set(finalConnections(view).map(({ account }) => account));
  const told = accountsTold(view);
  for (const { account, provider, isUsable, isKept } of view.platform.grants) {
    const flow = owners.get(account);
    if (!isUsable || flow === undefined || (isKept ?? connected.has(account)) || told.has(account)) continue;
    yield broken(flow, `a grant of ${account} at ${provider} is alive, and nobody was told`);
  }
};

/** Accounts whose last word to the app, about an attempt or a revoke of theirs, was to remove the app at the platform. */
function accountsTold(view: View): Set<string> {
  const words = new Map<string, { account: string | undefined; action: unknown; sequence: number }>();
  const lastEvents = new Map<string, number>();
  const hear = (id: string, account: string | undefined, action: unknown, sequence: number) => {
    if ((words.get(id)?.sequence ?? -1) <= sequence) words.set(id, { account, action, sequence });
  };
  // A caller that can read nothing any more, because a person was erased, gets an event.
  for (const [index, entry] of view.entries.entries()) {
    if (entry.type !== 'event' || entry.data.creatorAction === undefined) continue;
    const { sessionId, jobId, connectionId, creatorAction, sequence } = entry.data;
    const account = sessionId === undefined ? view.accountOf.get(connectionId) : view.chosen.get(sessionId);
    hear(sessionId ?? jobId, account, creatorAction, sequence ?? 0);
    lastEvents.set(sessionId ?? jobId, index);
  }
  const read = (id: string, account: string | undefined) => {
    const last = view.last(id);
    // An event after the last read may contain more, such as after an erasure.
    const isOld = last !== undefined && last.value.creatorAction === null && last.index < (lastEvents.get(id) ?? 0);
    if (last === undefined || isOld) return;
    hear(id, account, last.value.creatorAction, Number.POSITIVE_INFINITY);
  };
  for (const [session, account] of view.chosen) read(session, account);
  for (const { entry } of view.calls) {
    if (entry.type !== 'answered' || entry.field !== 'disconnectConnection') continue;
    read(entry.value.revokeJobId, view.accountOf.get(entry.value.connectionId));
  }
  return new Set([...words.values()].flatMap(({ account, action }) => (action === REMOVE && account ? [account] : [])));
}

import type { Broken } from '../run.ts';
import { broken, type Promised, UNFINISHED, type View } from '../view.ts';

const ENDS = ['connect_session.finished', 'identity_session.finished', 'job.finished', 'receipt.settled'];

/** Every end was sent to the app's webhook, once and with the same content, and a connection's events have an order. */
export const events: Promised = function* (view) {
  // Without an endpoint, no app gets an event.
  if (view.acts('removeWebhookEndpoint').length > 0) return;
  const told = new Map<string, Map<string, string>>();
  const places = new Map<string, string>();
  for (const { id, event, data } of view.events) {
    if (ENDS.includes(event)) {
      const subject = String(data.sessionId ?? data.jobId ?? '');
      const ends = told.get(subject) ?? new Map<string, string>();
      const end = JSON.stringify([data.status, data.creatorAction ?? null]);
      // The same event may arrive more than once.
      if (!data.creatorAction && (ends.get(end) ?? id) !== id)
        yield broken('run', `two events tell that ${subject} ended ${data.status}`);
      told.set(subject, ends.set(end, id));
    }
    if (data.connectionId === null || data.connectionId === undefined) continue;
    const place = `${data.connectionId}/${data.sequence}`;
    if ((places.get(place) ?? id) !== id) yield broken('run', `two events have the place ${place}`);
    places.set(place, id);
  }
  for (const [id, { flow, kind }] of view.accepted) {
    const last = view.last(id)?.value;
    if (last === undefined || UNFINISHED.includes(last.status)) continue;
    const statuses = new Set([...(told.get(id)?.keys() ?? [])].map((end) => String(JSON.parse(end)[0])));
    if (!statuses.has(last.status)) {
      const said = [...statuses].join() || 'nothing';
      yield broken(flow, `${kind} ${id} ended ${last.status}; its app was told ${said}`);
    }
    if (statuses.size > 1 && view.kindOf(id) !== 'REVOKE')
      yield broken(flow, `its app was told that ${kind} ${id} ended ${[...statuses].join(' and ')}`);
  }
  yield* checkStates(view);
};

/** The events of a connection end with the states that it was seen in. */
function* checkStates(view: View): Generator<Broken> {
  const seen = new Map<string, string[]>();
  for (const entry of view.entries) {
    if (entry.type !== 'state' || entry.status === 'DELETING') continue;
    seen.set(entry.connectionId, [...(seen.get(entry.connectionId) ?? []), entry.status]);
  }
  for (const [connectionId, states] of seen) {
    const own = view.events.filter(
      ({ event, data }) =>
        data.connectionId === connectionId && event.startsWith('connection.') && event !== 'connection.erased',
    );
    const statuses = own.sort((one, other) => one.data.sequence - other.data.sequence).map(({ data }) => data.status);
    if (statuses.slice(-states.length).join() !== states.join())
      yield broken('run', `connection ${connectionId} was ${states.join()}; its app was told ${statuses.join()}`);
  }
}

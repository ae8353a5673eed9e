import { broken, finalConnections, type Promised } from '../view.ts';

/** Data that an operator erases or a person asks a platform to delete is gone, for the caller too, as in the receipt. */
export const erased: Promised = function* (view) {
  for (const { flow, where } of view.remains.traces) yield broken(flow, `${where} still holds something of the person`);
  for (const { flow, connectionId, index } of finalConnections(view)) {
    const [act] = view.acts('eraseSubject').filter((entry) => entry.flow === flow && entry.accepted);
    if (act !== undefined && view.entries.indexOf(act) < index)
      yield broken(flow, `connection ${connectionId} is still listed`);
  }
};

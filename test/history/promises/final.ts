import type { Broken } from '../run.ts';
import { type Answered, broken, type Promised, REMOVE, type Sight, UNFINISHED, type View } from '../view.ts';

/** A state that a caller has read as final is read again unchanged. */
export const finalStaysFinal: Promised = function* (view) {
  for (const [id, sights] of view.sights) {
    const { flow = 'run', kind } = sights[0] ?? {};
    if (kind === 'signIn') continue;
    const isRevoke = kind === 'job' && view.accepted.has(id) && view.kindOf(id) === 'REVOKE';
    let final: Sight | undefined;
    for (const sight of sights) {
      if (final === undefined) {
        if (!UNFINISHED.includes(sight.value.status)) final = sight;
        continue;
      }
      const [was, is] = [essence(final.value), essence(sight.value)];
      if (was === is) continue;
      // After EXPIRED was read, creatorAction may go from null to REMOVE_APP_AT_PROVIDER, once.
      const isLearned =
        kind === 'attempt' &&
        final.value.status === 'EXPIRED' &&
        final.value.creatorAction === null &&
        is === essence({ ...final.value, creatorAction: REMOVE });
      // An operator may retry a failed revoke.
      const isRetried =
        isRevoke &&
        final.value.status === 'FAILED' &&
        view.entries.slice(final.index, sight.index).some((e) => e.type === 'operator' && e.act === 'retryJobs');
      if (!isLearned && !isRetried) yield broken(flow, `${kind} ${id} was ${was}, then ${is}`);
      final = UNFINISHED.includes(sight.value.status) ? undefined : sight;
    }
  }
  yield* checkGoneStaysGone(view);
  yield* checkJobsStayGone(view);
};

/** After NOT_FOUND, no one reads that job or attempt again. */
function* checkJobsStayGone(view: View): Generator<Broken> {
  const gone = new Set<string>();
  for (const { entry } of view.calls) {
    if (entry.field !== 'syncJob' && entry.field !== 'connectSessionResult') continue;
    const id = String(view.asked.get(entry.call)?.entry.variables.id);
    if (entry.type === 'refused' && entry.code === 'NOT_FOUND') gone.add(id);
    if (entry.type === 'answered' && gone.has(id)) {
      yield broken(entry.flow, `${entry.field} ${id} came back after NOT_FOUND`);
    }
  }
}

const READS = ['content', 'contentItem', 'requestRefresh', 'requestContentLookup'];

const essence = (value: Answered['value']): string =>
  JSON.stringify(
    ['status', 'resultCode', 'connectionId', 'errorCode', 'creatorAction', 'resultProviderContentId'].map(
      (name) => value[name] ?? null,
    ),
  );

/**
 * After a disconnect was accepted, no read shows the connection connected or anything of it; after NOT_FOUND or the receipt
 * of its erase none shows it at all.
 */
function* checkGoneStaysGone(view: View): Generator<Broken> {
  const [gone, ending, erasing] = [new Set<string>(), new Map<string, number>(), new Map<string, string>()];
  const say = (flow: string, message: string) => broken(flow, message);
  for (const { index, entry } of view.calls) {
    const asked = view.asked.get(entry.call);
    if (asked === undefined) continue;
    const { variables } = asked.entry;
    if (entry.type === 'answered' && entry.field === 'disconnectConnection') {
      ending.set(entry.value.connectionId, index);
      erasing.set(entry.value.eraseJobId, entry.value.connectionId);
    }
    if (entry.type === 'answered' && entry.field === 'syncJob' && entry.value.status === 'SUCCEEDED') {
      const erased = erasing.get(entry.value.id);
      if (erased !== undefined) gone.add(erased);
    }
    const id = String(entry.field === 'connection' ? variables.id : variables.connectionId);
    if (entry.field === 'connection' && entry.type === 'refused' && entry.code === 'NOT_FOUND') gone.add(id);
    const isRead = READS.includes(entry.field);
    if (entry.type !== 'answered' || (!isRead && entry.field !== 'connection')) continue;
    const since = ending.get(id);
    const isLater = since !== undefined && asked.index > since;
    if (gone.has(id)) yield say(entry.flow, `connection ${id} came back after its end (${entry.field})`);
    else if (isLater && isRead) yield say(entry.flow, `${entry.field} of connection ${id} worked after its disconnect`);
    else if (isLater && !['DISCONNECTED', 'DELETING'].includes(entry.value.status)) {
      yield say(entry.flow, `connection ${id} was ${entry.value.status} after its disconnect`);
    }
  }
}

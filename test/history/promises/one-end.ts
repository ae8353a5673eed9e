import type { Broken } from '../run.ts';
import {
  type Answered,
  broken,
  finalConnections,
  type Promised,
  REMOVE,
  type ReadKind,
  STOPS,
  UNFINISHED,
  type View,
} from '../view.ts';

const ATTEMPT_ENDS: Readonly<Record<string, readonly (string | null)[]>> = {
  COMPLETED: [null, 'PARTIAL_PERMISSION'],
  DENIED: ['ACCESS_DENIED', 'MISSING_PERMISSION'],
  FAILED: [
    'MISSING_PERMISSION',
    'ACCOUNT_UNUSABLE',
    'ACCOUNT_MISMATCH',
    'ACCOUNT_DISCONNECTING',
    'EXCHANGE_FAILED',
    'PROVIDER_UNAVAILABLE',
  ],
  EXPIRED: ['EXPIRED'],
  CANCELED: ['CANCELED'],
};
/** INTERNAL is no allowed end: no workflow of a run is ended by hand. */
const READ_FAILURES = [
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_RATE_LIMITED',
  'PROVIDER_CONTRACT',
  'RECONNECT_REQUIRED',
  'CAPABILITY_UNAVAILABLE',
  'CONTENT_NOT_FOUND',
];

/** Every accepted request has one allowed end. */
export const oneEnd: Promised = function* (view) {
  for (const entry of view.entries) {
    if (entry.type === 'erasure' && !entry.isComplete) yield broken(entry.flow, 'an erasure never ended');
  }
  for (const [id, { flow, kind }] of view.accepted) {
    const last = view.last(id)?.value;
    if (isForbidden(view, id, kind)) continue;
    if (kind === 'signIn') yield* checkSignIn(view, id, flow);
    else if (last === undefined || UNFINISHED.includes(last.status)) {
      if (!isGone(view, id, flow, kind) && !isYoung(view, id, kind)) yield broken(flow, `${kind} ${id} never ended`);
    } else if (kind === 'attempt') yield* checkAttemptEnd(view, id, flow, last);
    else yield* checkJobEnd(view, id, flow, last);
  }
  // Its tokens were replaced, and the answer may have been lost.
  const refreshed = new Set(
    view.platform.calls.filter(({ grantType }) => grantType === 'refresh_token').map(({ account }) => account),
  );
  const ended = new Set(view.platform.grants.filter(({ hasEnded }) => hasEnded).map(({ account }) => account));
  for (const { flow, connectionId, account, status, grantEnded } of finalConnections(view)) {
    if (status === 'SUSPENDED' || status === 'DISCONNECTED' || status === 'DELETING') {
      yield broken(flow, `connection ${connectionId} is still ${status}`);
    }
    if (status === 'RECONNECT_REQUIRED' && !grantEnded && !ended.has(account) && !refreshed.has(account)) {
      yield broken(flow, `connection ${connectionId} wants a reconnect, and nothing had happened to its grant`);
    }
  }
};

/** Read jobs go with their connection, and attempts with an erased subject. Receipts stay for 7 days. */
function isGone(view: View, id: string, flow: string, kind: ReadKind): boolean {
  const end = view.ends(READ_BY[kind], id).at(-1)?.entry;
  if (end?.type !== 'refused' || end.code !== 'NOT_FOUND') return false;
  if (view.isErased(flow) || view.acts('removeTenant', 'disconnectAll', 'disconnectConnection').length > 0) return true;
  if (isOld(view, id)) return true;
  return kind === 'job' && !['REVOKE', 'ERASE'].includes(view.kindOf(id)) && hasDisconnected(view, flow);
}

/** Callers of a tenant that an operator has removed read nothing of it. */
function isForbidden(view: View, id: string, kind: ReadKind): boolean {
  const end = view.ends(READ_BY[kind], id).at(-1)?.entry;
  return end?.type === 'refused' && end.code === 'FORBIDDEN' && view.acts('removeTenant').length > 0;
}

/** A caller reads an attempt and a read job for a day, and a receipt for seven. */
function isOld(view: View, id: string): boolean {
  const days = ['REVOKE', 'ERASE'].includes(view.kindOf(id)) ? 7 : 1;
  return ageOf(view, id) >= days * DAY_MS;
}

const READ_BY = { attempt: 'connectSessionResult', signIn: 'redeemIdpIdentityResult', job: 'syncJob' } as const;

/** Whether the person of an attempt or a sign-in may still come. */
const isYoung = (view: View, id: string, kind: ReadKind): boolean =>
  kind !== 'job' && view.ends(READ_BY[kind], id).at(-1)?.entry.type === 'answered' && ageOf(view, id) < ANSWERABLE_MS;

/** How long ago something was asked for, at the end of the run. */
function ageOf(view: View, id: string): number {
  const asked = view.asked.get(view.accepted.get(id)?.call ?? -1)?.index ?? 0;
  return view.timeAt(view.entries.length - 1) - view.timeAt(asked);
}

const DAY_MS = 86_400_000;

const hasDisconnected = (view: View, flow: string): boolean =>
  view.calls.some(({ entry }) => entry.flow === flow && entry.field === 'disconnectConnection');

/** An operator has stopped the attempt. */
const isStopped = (view: View, { status, resultCode }: Answered['value']): boolean =>
  status === 'FAILED' &&
  ['POLICY_CHANGED', 'REGISTRATION_PAUSED'].includes(resultCode) &&
  view.acts(...STOPS).length > 0;

function* checkAttemptEnd(view: View, id: string, flow: string, end: Answered['value']): Generator<Broken> {
  const codes = ATTEMPT_ENDS[end.status] ?? [];
  const isAllowed = codes.includes(end.resultCode) || isStopped(view, end);
  const steps = view.entries.filter((entry) => entry.type === 'browser' && entry.session === id);
  const did = (step: string) => steps.some((entry) => entry.type === 'browser' && entry.step === step);
  const isWrong =
    !isAllowed ||
    (end.status === 'COMPLETED') !== (end.connectionId !== null) ||
    (end.status === 'COMPLETED' && (!did('allowed') || end.creatorAction !== null)) ||
    (end.status === 'DENIED' && end.resultCode === 'ACCESS_DENIED' && !did('denied')) ||
    ![null, REMOVE].includes(end.creatorAction);
  if (isWrong) yield broken(flow, `attempt ${id} ended ${JSON.stringify(end)}`);
  if (end.status === 'EXPIRED' && isExpiredInVain(view, id)) {
    yield broken(flow, `attempt ${id} expired, and its person had answered in time`);
  }
}

function* checkJobEnd(view: View, id: string, flow: string, end: Answered['value']): Generator<Broken> {
  const kind = view.kindOf(id);
  const isAllowed =
    kind === 'ERASE'
      ? end.status === 'SUCCEEDED'
      : kind === 'REVOKE'
        ? end.status === 'SUCCEEDED' || (end.status === 'FAILED' && end.creatorAction === REMOVE)
        : (end.status === 'SUCCEEDED' && end.errorCode === null) ||
          (end.status === 'FAILED' && READ_FAILURES.includes(end.errorCode)) ||
          (end.status === 'CANCELED' && (hasDisconnected(view, flow) || view.isErased(flow)));
  if (!isAllowed) yield broken(flow, `job ${id} (${kind}) ended ${JSON.stringify(end)}`);
}

/** How long a result of a sign-in can be redeemed after its creation. */
const REDEEMABLE_MS = 20 * 60_000;

/** How long an attempt or a sign-in takes an answer after its creation. */
const ANSWERABLE_MS = 10 * 60_000;
/** Longer than any wait that the platforms of a run ask for, and the tries after it. */
const ENDS_WITHIN_MS = 120_000;

/**
 * Whether an attempt had every chance to end otherwise than EXPIRED: its person had come back, and from the repair on there
 * was enough time left, by business time and without a move of the clock.
 */
function isExpiredInVain(view: View, id: string): boolean {
  const { entries } = view;
  const returned = entries.findIndex((one) => one.type === 'browser' && one.session === id && one.step === 'returned');
  const healed = entries.findIndex((one) => one.type === 'phase' && one.phase === 'healed');
  if (returned < 0 || healed < 0) return false;
  const from = Math.max(returned, healed);
  const created = view.asked.get(view.accepted.get(id)?.call ?? -1)?.index ?? 0;
  const leftMs = view.timeAt(created) + ANSWERABLE_MS - view.timeAt(from);
  const moved = entries.find((one, index) => index > from && one.type === 'clock');
  const quietMs = (moved?.at ?? Number.POSITIVE_INFINITY) - (entries[from]?.at ?? 0);
  return Math.min(leftMs, quietMs) >= ENDS_WITHIN_MS;
}

/** A result is redeemed once. Only a redeem whose answer was lost can explain a NOT_FOUND without an earlier result. */
function* checkSignIn(view: View, id: string, flow: string): Generator<Broken> {
  const ends = view.ends('redeemIdpIdentityResult', id);
  const results = ends.filter(({ entry }) => entry.type === 'answered' && entry.value.status !== 'PENDING');
  const chosen = view.chosen.get(id);
  if (results.length > 1) yield broken(flow, `sign-in ${id} was redeemed ${results.length} times`);
  const [result] = results;
  if (result?.entry.type === 'answered') {
    const { status, idpSub } = result.entry.value;
    const isRight = status === 'COMPLETED' ? idpSub === chosen : ['DENIED', 'FAILED', 'EXPIRED'].includes(status);
    if (!isRight) yield broken(flow, `sign-in ${id} of ${chosen} ended ${status} with ${idpSub}`);
    if (status === 'EXPIRED' && isExpiredInVain(view, id)) {
      yield broken(flow, `sign-in ${id} expired, and its person had answered in time`);
    }
  }
  const missing = ends.find(({ entry }) => entry.type === 'refused' && entry.code === 'NOT_FOUND');
  if (missing !== undefined) {
    const before = ends.filter(({ index }) => index < missing.index);
    // An answer with "try again" may hide a redeem that has taken effect.
    const wasSpent = before.some(
      ({ entry }) =>
        entry.type === 'lost' ||
        (entry.type === 'refused' && entry.code === 'UPSTREAM_UNAVAILABLE') ||
        (entry.type === 'answered' && entry.value.status !== 'PENDING'),
    );
    const created = view.calls.find(({ entry }) => entry.call === view.accepted.get(id)?.call)?.index ?? 0;
    const isOld = view.timeAt(missing.index) - view.timeAt(created) >= REDEEMABLE_MS;
    if (!wasSpent && !isOld) yield broken(flow, `the result of sign-in ${id} was lost`);
  } else if (results.length === 0 && !isYoung(view, id, 'signIn')) yield broken(flow, `sign-in ${id} never ended`);
}

import type { CallEntry, Entry } from './history.ts';

/** The platforms' own record at the end of a run. */
export interface PlatformRecord {
  /** Every consent of every account. */
  readonly grants: readonly {
    readonly account: string;
    readonly provider: string;
    /** Whether it is alive and a live token of it exists. */
    readonly isUsable: boolean;
  }[];
  readonly posts: readonly {
    readonly id: string;
    readonly account: string;
    readonly publishedAt: number | null;
    readonly isPublic: boolean;
    /** At the start of the run. */
    readonly views: string | null;
  }[];
  readonly calls: readonly {
    readonly account: string | null;
    readonly route: string;
    readonly grantType: string | null;
    readonly fault: string | null;
    readonly violations: readonly string[];
  }[];
}

/** The state of the service at the end of a run. */
export interface Remains {
  /** Work that should have ended and has not: a job, a hold, a claim, an outbox entry, a workflow. */
  readonly open: readonly string[];
  /** Where something of an erased person was found. */
  readonly traces: readonly { readonly flow: string; readonly where: string }[];
  /** Our processes that exited without a kill, once for each time, with the error. */
  readonly crashes: readonly string[];
}

export interface Run {
  readonly entries: readonly Entry[];
  readonly platform: PlatformRecord;
  readonly remains: Remains;
}

/** A broken promise. */
export interface Objection {
  readonly rule: Rule;
  readonly flow: string;
  readonly message: string;
}

export type Rule =
  | 'clear answers'
  | 'one end'
  | 'final stays final'
  | 'no grant left'
  | 'posts'
  | 'effects'
  | 'events'
  | 'erased'
  | 'nothing left open'
  | 'no crash';

/*
 * The specification by hand. Nothing here is imported from the service.
 */
const UNFINISHED = ['CREATED', 'AUTHORIZING', 'EXCHANGING', 'PENDING', 'QUEUED', 'RUNNING'];
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
const REMOVE = 'REMOVE_APP_AT_PROVIDER';
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
/** Faults of a token call after which the code may be sent again: the platform has reported that it did nothing. */
const REFUSING_FAULTS = ['status', 'quota', 'answer'];

type Answered = Extract<Entry, { type: 'answered' }>;
type ReadKind = 'attempt' | 'job' | 'signIn';

/** One state of something as its caller read it. */
interface Sight {
  readonly flow: string;
  readonly index: number;
  readonly kind: ReadKind;
  readonly id: string;
  readonly value: Answered['value'];
}

/** Proves that a run kept every promise, in the manner of Jepsen's checkers. @returns nothing if it did */
export function check({ entries, platform, remains }: Run): Objection[] {
  const view = new View(entries);
  return [
    ...checkAnswers(view),
    ...checkEnds(view, platform),
    ...checkFinality(view),
    ...checkGrants(view, platform),
    ...checkPosts(view, platform),
    ...checkSought(view, platform),
    ...checkEffects(view, platform),
    ...checkEvents(view),
    ...checkErasures(view),
    ...remains.traces.map(({ flow, where }) => object('erased', flow, `${where} still holds something of the person`)),
    ...remains.open.map((what) => object('nothing left open', 'run', what)),
    ...remains.crashes.map((crash) => object('no crash', 'run', `a process ended by itself: ${crash}`)),
  ];
}

const object = (rule: Rule, flow: string, message: string): Objection => ({ rule, flow, message });

/** The history, indexed for the rules. */
class View {
  readonly entries: readonly Entry[];
  readonly asked = new Map<number, { index: number; entry: Extract<Entry, { type: 'asked' }> }>();
  readonly calls: { index: number; entry: Exclude<CallEntry, { type: 'asked' }> }[] = [];
  /** Every state that a caller read, by id. */
  readonly sights = new Map<string, Sight[]>();
  /** Ids that a mutation returned, with the flow: the accepted requests. */
  readonly accepted = new Map<string, { flow: string; kind: ReadKind; call: number }>();
  /** The account that a person chose in an attempt. */
  readonly chosen = new Map<string, string>();
  /** The account of a connection. */
  readonly accountOf = new Map<string, string>();

  constructor(entries: readonly Entry[]) {
    this.entries = entries;
    for (const [index, entry] of entries.entries()) {
      if (entry.type === 'asked') this.asked.set(entry.call, { index, entry });
      if (entry.type === 'answered' || entry.type === 'refused' || entry.type === 'lost') {
        this.calls.push({ index, entry });
      }
      if (entry.type === 'answered') this.#read(index, entry);
      if (entry.type === 'browser' && entry.account !== undefined) this.chosen.set(entry.session, entry.account);
      if (entry.type === 'event') this.#learn(entry.data.connectionId, entry.data.sessionId);
    }
  }

  #read(index: number, { flow, field, value, call }: Answered): void {
    const see = (kind: ReadKind, id: string) =>
      this.sights.set(id, [...(this.sights.get(id) ?? []), { flow, index, kind, id, value }]);
    if (field === 'connectSessionResult') this.#learn(value.connectionId, value.id);
    if (field === 'connections')
      for (const { id, providerAccountId } of value.items) this.accountOf.set(id, providerAccountId);
    const accept = (kind: ReadKind, id: string) => {
      if (!this.accepted.has(id)) this.accepted.set(id, { flow, kind, call });
    };
    if (field === 'createConnectSession') accept('attempt', value.id);
    if (field === 'createIdpIdentitySession') accept('signIn', value.id);
    if (field === 'requestRefresh' || field === 'requestContentLookup') {
      accept('job', value.id);
      see('job', value.id);
    }
    if (field === 'disconnectConnection') for (const id of [value.revokeJobId, value.eraseJobId]) accept('job', id);
    if (field === 'syncJob') see('job', value.id);
    if (field === 'connectSessionResult') see('attempt', value.id);
    if (field === 'redeemIdpIdentityResult') see('signIn', this.asked.get(call)?.entry.variables.id);
  }

  /** The attempt that completed a connection returns its account. */
  #learn(connectionId: string | null | undefined, session: string | undefined): void {
    const account = this.chosen.get(session ?? '');
    if (connectionId && account !== undefined) this.accountOf.set(connectionId, account);
  }

  /** Business time at an entry, in milliseconds since the run began. */
  timeAt(index: number): number {
    const moved = this.entries.slice(0, index).reduce((sum, entry) => sum + (entry.type === 'clock' ? entry.ms : 0), 0);
    return (this.entries[index]?.at ?? 0) + moved;
  }

  last(id: string): Sight | undefined {
    return this.sights.get(id)?.at(-1);
  }

  /** Calls of a field with this id among its variables, with their ends. */
  ends(field: string, id: string, name = 'id') {
    return this.calls.filter(
      ({ entry }) => entry.field === field && this.asked.get(entry.call)?.entry.variables[name] === id,
    );
  }

  /** Whether the subject of a flow was erased, or its account's deletion asked for at the platform. */
  isErased(flow: string): boolean {
    return this.entries.some(
      (entry) =>
        entry.flow === flow &&
        ((entry.type === 'operator' && entry.act === 'eraseSubject') ||
          (entry.type === 'platform' && entry.change === 'deletionAsked')),
    );
  }

  /** The kind of an accepted job: `REVOKE`, `ERASE` or the field that asked for it. */
  kindOf(id: string): string {
    const call = this.accepted.get(id)?.call ?? -1;
    const answer = this.calls.find(({ entry }) => entry.type === 'answered' && entry.call === call)?.entry as Answered;
    if (answer.field !== 'disconnectConnection') return answer.field;
    return answer.value.revokeJobId === id ? 'REVOKE' : 'ERASE';
  }
}

/** A refusal has a code of its operation. Once everything is repaired, every request gets a clear answer. */
function* checkAnswers(view: View): Generator<Objection> {
  const settled = view.entries.findIndex((entry) => entry.type === 'phase' && entry.phase === 'settled');
  for (const { index, entry } of view.calls) {
    const { flow, field } = entry;
    const isSettled = settled >= 0 && index > settled;
    if (entry.type === 'lost' && isSettled)
      yield object('clear answers', flow, `${field} got no answer after the repair`);
    if (entry.type !== 'refused') continue;
    const isPassing = entry.code === 'UPSTREAM_UNAVAILABLE' && !isSettled;
    if (!isPassing && !REFUSALS[field]?.includes(entry.code)) {
      yield object(
        'clear answers',
        flow,
        `${field} was refused with ${entry.code}${isSettled ? ' after the repair' : ''}`,
      );
    }
  }
}

/** Every accepted request has one allowed end. */
function* checkEnds(view: View, { calls }: PlatformRecord): Generator<Objection> {
  for (const [id, { flow, kind }] of view.accepted) {
    const last = view.last(id)?.value;
    if (kind === 'signIn') yield* checkSignIn(view, id, flow);
    else if (last === undefined || UNFINISHED.includes(last.status)) {
      if (!isGone(view, id, flow, kind)) yield object('one end', flow, `${kind} ${id} never ended`);
    } else if (kind === 'attempt') yield* checkAttemptEnd(view, id, flow, last);
    else yield* checkJobEnd(view, id, flow, last);
  }
  // Its tokens were replaced, and the answer may have been lost.
  const refreshed = new Set(
    calls.filter(({ grantType }) => grantType === 'refresh_token').map(({ account }) => account),
  );
  for (const { flow, connectionId, account, status, grantEnded } of finalConnections(view)) {
    if (status === 'SUSPENDED' || status === 'DISCONNECTED' || status === 'DELETING') {
      yield object('one end', flow, `connection ${connectionId} is still ${status}`);
    }
    if (status === 'RECONNECT_REQUIRED' && !grantEnded && !refreshed.has(account)) {
      yield object(
        'one end',
        flow,
        `connection ${connectionId} wants a reconnect, and nothing had happened to its grant`,
      );
    }
  }
}

/** Read jobs go with their connection, and attempts with an erased subject. Receipts stay for 7 days. */
function isGone(view: View, id: string, flow: string, kind: ReadKind): boolean {
  const field = kind === 'attempt' ? 'connectSessionResult' : 'syncJob';
  const end = view.ends(field, id).at(-1)?.entry;
  if (end?.type !== 'refused' || end.code !== 'NOT_FOUND') return false;
  if (view.isErased(flow)) return true;
  return kind === 'job' && !['REVOKE', 'ERASE'].includes(view.kindOf(id)) && hasDisconnected(view, flow);
}

const hasDisconnected = (view: View, flow: string): boolean =>
  view.calls.some(({ entry }) => entry.flow === flow && entry.field === 'disconnectConnection');

function* checkAttemptEnd(view: View, id: string, flow: string, end: Answered['value']): Generator<Objection> {
  const codes = ATTEMPT_ENDS[end.status] ?? [];
  const steps = view.entries.filter((entry) => entry.type === 'browser' && entry.session === id);
  const did = (step: string) => steps.some((entry) => entry.type === 'browser' && entry.step === step);
  const isWrong =
    !codes.includes(end.resultCode) ||
    (end.status === 'COMPLETED') !== (end.connectionId !== null) ||
    (end.status === 'COMPLETED' && (!did('allowed') || end.creatorAction !== null)) ||
    (end.status === 'DENIED' && end.resultCode === 'ACCESS_DENIED' && !did('denied')) ||
    ![null, REMOVE].includes(end.creatorAction);
  if (isWrong) yield object('one end', flow, `attempt ${id} ended ${JSON.stringify(end)}`);
  if (end.status === 'EXPIRED' && isExpiredInVain(view, id)) {
    yield object('one end', flow, `attempt ${id} expired, and its person had answered in time`);
  }
}

function* checkJobEnd(view: View, id: string, flow: string, end: Answered['value']): Generator<Objection> {
  const kind = view.kindOf(id);
  const isAllowed =
    kind === 'ERASE'
      ? end.status === 'SUCCEEDED'
      : kind === 'REVOKE'
        ? end.status === 'SUCCEEDED' || (end.status === 'FAILED' && end.creatorAction === REMOVE)
        : (end.status === 'SUCCEEDED' && end.errorCode === null) ||
          (end.status === 'FAILED' && READ_FAILURES.includes(end.errorCode)) ||
          (end.status === 'CANCELED' && (hasDisconnected(view, flow) || view.isErased(flow)));
  if (!isAllowed) yield object('one end', flow, `job ${id} (${kind}) ended ${JSON.stringify(end)}`);
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
function* checkSignIn(view: View, id: string, flow: string): Generator<Objection> {
  const ends = view.ends('redeemIdpIdentityResult', id);
  const results = ends.filter(({ entry }) => entry.type === 'answered' && entry.value.status !== 'PENDING');
  const chosen = view.chosen.get(id);
  if (results.length > 1) yield object('one end', flow, `sign-in ${id} was redeemed ${results.length} times`);
  const [result] = results;
  if (result?.entry.type === 'answered') {
    const { status, idpSub } = result.entry.value;
    const isRight = status === 'COMPLETED' ? idpSub === chosen : ['DENIED', 'FAILED', 'EXPIRED'].includes(status);
    if (!isRight) yield object('one end', flow, `sign-in ${id} of ${chosen} ended ${status} with ${idpSub}`);
    if (status === 'EXPIRED' && isExpiredInVain(view, id)) {
      yield object('one end', flow, `sign-in ${id} expired, and its person had answered in time`);
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
    if (!wasSpent && !isOld) yield object('one end', flow, `the result of sign-in ${id} was lost`);
  } else if (results.length === 0) yield object('one end', flow, `sign-in ${id} never ended`);
}

/** A state that a caller has read as final is read again unchanged. */
function* checkFinality(view: View): Generator<Objection> {
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
      if (!isLearned && !isRetried) yield object('final stays final', flow, `${kind} ${id} was ${was}, then ${is}`);
      final = UNFINISHED.includes(sight.value.status) ? undefined : sight;
    }
  }
  yield* checkGoneStaysGone(view);
  yield* checkJobsStayGone(view);
}

/** After NOT_FOUND, no one reads that job or attempt again. */
function* checkJobsStayGone(view: View): Generator<Objection> {
  const gone = new Set<string>();
  for (const { entry } of view.calls) {
    if (entry.field !== 'syncJob' && entry.field !== 'connectSessionResult') continue;
    const id = String(view.asked.get(entry.call)?.entry.variables.id);
    if (entry.type === 'refused' && entry.code === 'NOT_FOUND') gone.add(id);
    if (entry.type === 'answered' && gone.has(id)) {
      yield object('final stays final', entry.flow, `${entry.field} ${id} came back after NOT_FOUND`);
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
function* checkGoneStaysGone(view: View): Generator<Objection> {
  const [gone, ending, erasing] = [new Set<string>(), new Map<string, number>(), new Map<string, string>()];
  const say = (flow: string, message: string) => object('final stays final', flow, message);
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

/** The connections that the last `connections` of each flow shows. */
function finalConnections(view: View) {
  const last = new Map<string, { index: number; entry: Answered }>();
  for (const { index, entry } of view.calls) {
    if (entry.type === 'answered' && entry.field === 'connections') last.set(entry.flow, { index, entry });
  }
  return [...last.values()].flatMap(({ index, entry: { flow, value } }) =>
    // biome-ignore lint/suspicious/noExplicitAny: an untyped answer.
    value.items.map((item: any) => ({
      flow,
      index,
      connectionId: item.id as string,
      account: item.providerAccountId as string,
      status: item.status as string,
      // PROVIDER_C renews no token that has expired.
      grantEnded: view.entries.some(
        (entry) =>
          entry.flow === flow &&
          entry.type === 'platform' &&
          (entry.change === 'appRemoved' || (entry.change === 'accessExpired' && item.provider === 'PROVIDER_C')),
      ),
    })),
  );
}

/** A usable grant at a platform belongs to a connection that its caller still sees, or a person was asked to remove it. */
function* checkGrants(view: View, { grants }: PlatformRecord): Generator<Objection> {
  const owners = new Map<string, string>();
  for (const entry of view.entries) {
    if (entry.type === 'browser' && entry.account !== undefined) owners.set(entry.account, entry.flow);
  }
  const connected = new Set(finalConnections(view).map(({ account }) => account));
  const told = accountsTold(view);
  for (const { account, provider, isUsable } of grants) {
    const flow = owners.get(account);
    if (!isUsable || flow === undefined || connected.has(account) || told.has(account)) continue;
    yield object('no grant left', flow, `a grant of ${account} at ${provider} is alive, and nobody was told`);
  }
}

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

/** A complete page holds every post that was at the platform when its scan was asked for, once, and as it was then. */
function* checkPosts(view: View, { posts }: PlatformRecord): Generator<Objection> {
  const known = new Map(posts.map((post) => [post.id, post]));
  const changes = new Map<string, { index: number; change: string; views: string | undefined }[]>();
  for (const [index, entry] of view.entries.entries()) {
    if (entry.type !== 'platform' || entry.post === undefined) continue;
    const { change, views } = entry;
    changes.set(entry.post, [...(changes.get(entry.post) ?? []), { index, change, views }]);
  }
  for (const entry of view.entries) {
    if (entry.type !== 'read') continue;
    const { flow, account, window, items, from } = entry;
    const say = (message: string) => object('posts', flow, `${message} (window ${JSON.stringify(window)})`);
    const ids = items.map(({ id }) => id);
    const doubled = ids.find((id, at) => ids.indexOf(id) !== at);
    if (doubled !== undefined) yield say(`post ${doubled} is listed twice`);
    const times = items.map(({ publishedAt }) => publishedAt ?? '');
    if (times.some((time, at) => at > 0 && time > (times[at - 1] ?? ''))) yield say('posts are out of order');
    const stranger = ids.find((id) => known.get(id)?.account !== account);
    if (stranger !== undefined) yield say(`post ${stranger} is not the account's`);

    const since = findScan(view, entry.connectionId, window, from);
    if (since === undefined) {
      if (entry.complete) yield* checkUnseenScan(posts, changes, entry, say);
      continue;
    }
    if (!entry.complete) yield say('a window that was scanned to its end is not called complete');
    for (const post of posts) {
      const { publishedAt } = post;
      if (post.account !== account || !post.isPublic || publishedAt === null) continue;
      // Platforms return whole seconds.
      const told = publishedAt - (publishedAt % 1_000);
      if (told < Date.parse(window.publishedAfter) || publishedAt >= Date.parse(window.publishedBefore)) continue;
      const own = changes.get(post.id) ?? [];
      const item = items.find(({ id }) => id === post.id);
      const posted = own.find(({ change }) => change === 'posted');
      const deleted = own.find(({ change }) => change === 'deleted');
      if (deleted !== undefined && deleted.index < since) {
        const missed = findFirstMiss(view, entry.connectionId, publishedAt, deleted.index);
        const isOld = missed !== undefined && view.timeAt(since) - view.timeAt(missed) >= GONE_AFTER_MS;
        const hasNeighbour = items.some(({ id, availability }) => id !== post.id && availability === 'AVAILABLE');
        if (item?.availability === 'AVAILABLE' && isOld && hasNeighbour)
          yield say(`post ${post.id} was deleted before the scan, and before one of an hour ago`);
      } else if (deleted === undefined && (posted === undefined || posted.index < since)) {
        if (item === undefined) yield say(`post ${post.id} is lost`);
        else if (item.availability === 'AVAILABLE') {
          const edits = own.filter(({ views }) => views !== undefined);
          const before = edits.filter(({ index }) => index < since).at(-1)?.views ?? post.views;
          const allowed = [before, ...edits.filter(({ index }) => index >= since).map(({ views }) => views)];
          if (item.views !== null && !allowed.includes(item.views)) {
            yield say(`post ${post.id} has ${item.views} views; allowed: ${allowed.join(', ')}`);
          }
        } else yield say(`post ${post.id} is ${item.availability}`);
      }
    }
  }
}

/** A post is gone with the first scan that misses it an hour or more after another one did, if another post is shown. */
const GONE_AFTER_MS = 3_600_000;

/** @returns when the end of the first scan over the post that was asked for after its deletion was seen */
function findFirstMiss(view: View, connectionId: string, publishedAt: number, deleted: number): number | undefined {
  const scans = new Set<string>();
  for (const { index, entry } of view.calls) {
    const asked = view.asked.get(entry.call);
    if (asked === undefined || asked.index < deleted || entry.type !== 'answered' || entry.value === null) continue;
    if (asked.entry.variables.connectionId !== connectionId) continue;
    const { id, status, completeForWindow } = entry.value;
    if (status === 'SUCCEEDED' && completeForWindow === true && scans.has(id)) return index;
    const { window } = asked.entry.variables;
    if (entry.field !== 'requestRefresh' || window === undefined) continue;
    if (Date.parse(window.publishedAfter) <= publishedAt && publishedAt < Date.parse(window.publishedBefore))
      scans.add(id);
  }
  return undefined;
}

/** A page that an automatic scan made complete: it holds at least the posts that were there all the time. */
function* checkUnseenScan(
  posts: PlatformRecord['posts'],
  changes: ReadonlyMap<string, readonly { change: string }[]>,
  { account, window, items }: Extract<Entry, { type: 'read' }>,
  say: (message: string) => Objection,
): Generator<Objection> {
  for (const { id, account: owner, isPublic, publishedAt } of posts) {
    if (owner !== account || !isPublic || publishedAt === null) continue;
    if (publishedAt - (publishedAt % 1_000) < Date.parse(window.publishedAfter)) continue;
    if (publishedAt >= Date.parse(window.publishedBefore)) continue;
    if (changes.get(id)?.some(({ change }) => change === 'posted' || change === 'deleted')) continue;
    if (!items.some((item) => item.id === id)) yield say(`post ${id} is missing from a page called complete`);
  }
}

/** A lookup finds the post of its URL, and after a refresh of its metrics a post has values of that time or later. */
function* checkSought(view: View, { posts }: PlatformRecord): Generator<Objection> {
  const sought = new Map<string, string>();
  for (const entry of view.entries) if (entry.type === 'sought') sought.set(entry.job, entry.post);
  const firstAsked = new Map<string, number>();
  const fresh = new Map<string, number>();
  for (const { index, entry } of view.calls) {
    const asked = view.asked.get(entry.call);
    if (entry.type !== 'answered' || entry.value === null || asked === undefined) continue;
    const { flow, value } = entry;
    const post = sought.get(value.id);
    if (entry.field === 'requestRefresh' && !firstAsked.has(value.id)) firstAsked.set(value.id, asked.index);
    if (entry.field === 'syncJob' && post !== undefined && value.status === 'SUCCEEDED') {
      const found = value.resultProviderContentId;
      if (view.kindOf(value.id) === 'requestContentLookup') {
        if (found !== post) yield object('posts', flow, `the lookup ${value.id} of post ${post} found ${found}`);
      } else fresh.set(`${asked.entry.variables.connectionId}/${post}`, firstAsked.get(value.id) ?? index);
    }
    if (entry.field !== 'contentItem') continue;
    const { connectionId, providerContentId } = asked.entry.variables;
    const since = fresh.get(`${connectionId}/${providerContentId}`);
    const views = value.metrics.find(({ name }: { name: string }) => name === 'VIEWS')?.value ?? null;
    if (since === undefined || views === null || value.availability !== 'AVAILABLE') continue;
    const edits = view.entries.flatMap((change, at) =>
      change.type === 'platform' && change.post === providerContentId && change.views !== undefined
        ? [{ at, views: change.views }]
        : [],
    );
    const before = edits.filter(({ at }) => at < since).at(-1)?.views;
    const first = posts.find(({ id }) => id === providerContentId)?.views;
    const allowed = [before ?? first, ...edits.filter(({ at }) => at >= since).map((edit) => edit.views)];
    if (!allowed.includes(views)) {
      yield object('posts', flow, `post ${providerContentId} has ${views} views; allowed: ${allowed.join(', ')}`);
    }
  }
}

/** @returns when the latest scan of this window that its caller saw end complete before `from` was first asked for */
function findScan(view: View, connectionId: string, window: object, from: number): number | undefined {
  let since: number | undefined;
  const firstAsked = new Map<string, number>();
  const chain = new Map<string, string>(); // A continuation belongs to the job whose cursor it used.
  const cursors = new Map<string, string>();
  for (const { index, entry } of view.calls) {
    if (index >= from) break;
    if (entry.type !== 'answered' || entry.value === null) continue; // A post that was never read is null.
    const asked = view.asked.get(entry.call);
    if (asked?.entry.variables.connectionId !== connectionId) continue;
    const { id, continuationCursor } = entry.value;
    if (entry.field === 'requestRefresh') {
      const { window: own, continuationCursor: used } = asked.entry.variables;
      if (used !== undefined) chain.set(id, chain.get(cursors.get(used) ?? '') ?? cursors.get(used) ?? '');
      else if (own !== undefined && isSame(own, window) && !firstAsked.has(id)) firstAsked.set(id, asked.index);
    }
    if (typeof continuationCursor === 'string') cursors.set(continuationCursor, id);
    if (entry.value.status === 'SUCCEEDED' && entry.value.completeForWindow === true) {
      since = firstAsked.get(chain.get(id) ?? id) ?? since;
    }
  }
  return since;
}

// biome-ignore lint/suspicious/noExplicitAny: an untyped request.
const isSame = (one: any, other: any): boolean =>
  one.publishedAfter === other.publishedAfter && one.publishedBefore === other.publishedBefore;

/** No effect at a platform more often than it was asked for, and no request that the platform would refuse. */
function* checkEffects(view: View, { calls }: PlatformRecord): Generator<Objection> {
  const [consents, owners] = [new Map<string, number>(), new Map<string, string>()];
  for (const entry of view.entries) {
    if (entry.type !== 'browser' || entry.step !== 'allowed' || entry.account === undefined) continue;
    consents.set(entry.account, (consents.get(entry.account) ?? 0) + 1);
    owners.set(entry.account, entry.flow);
  }
  const causes = accountsToRevoke(view);
  const exchanges = new Map<string, number>();
  for (const { account, route, grantType, fault, violations } of calls) {
    const flow = owners.get(account ?? '') ?? 'run';
    if (violations.length > 0)
      yield object('effects', flow, `a call of ${route} broke a rule: ${violations.join('; ')}`);
    if (account !== null && route === 'revoke' && owners.has(account) && !causes.has(account)) {
      yield object('effects', flow, `the grant of ${account} was revoked, and nobody had asked for it`);
    }
    if (account === null || route !== 'token' || grantType !== 'authorization_code') continue;
    if (fault !== null && REFUSING_FAULTS.includes(fault)) continue;
    exchanges.set(account, (exchanges.get(account) ?? 0) + 1);
  }
  for (const [account, count] of exchanges) {
    const allowed = consents.get(account) ?? 0;
    if (count > allowed && owners.has(account)) {
      yield object('effects', owners.get(account) ?? 'run', `${count} exchanges of ${allowed} consents of ${account}`);
    }
  }
}

/** Accounts with a reason for a revoke: a disconnect, an erasure, or an attempt whose grant was not used. */
function accountsToRevoke(view: View): Set<string> {
  const accounts = new Set<string>();
  for (const { entry } of view.asked.values()) {
    const account = view.accountOf.get(String(entry.variables.connectionId));
    if (entry.field === 'disconnectConnection' && account !== undefined) accounts.add(account);
  }
  for (const [id, account] of view.chosen) {
    const flow = view.accepted.get(id)?.flow ?? '';
    if (view.last(id)?.value.status !== 'COMPLETED' || view.isErased(flow)) accounts.add(account);
  }
  return accounts;
}

/** Data that an operator erases or a person asks a platform to delete is gone for the caller too, as in the receipt. */
function* checkErasures(view: View): Generator<Objection> {
  for (const entry of view.entries) {
    if (entry.type === 'erasure' && !entry.isComplete) yield object('one end', entry.flow, 'an erasure never ended');
  }
  for (const { flow, connectionId, index } of finalConnections(view)) {
    const erased = view.entries.findIndex(
      (entry) => entry.flow === flow && entry.type === 'operator' && entry.act === 'eraseSubject' && entry.accepted,
    );
    if (erased >= 0 && erased < index) yield object('erased', flow, `connection ${connectionId} is still listed`);
  }
}

/** Every end was sent to the app's webhook with the same content, and the order of a connection's events is unique. */
function* checkEvents(view: View): Generator<Objection> {
  const events = view.entries.filter((entry) => entry.type === 'event');
  const told = new Map<string, Set<string>>();
  const places = new Map<string, string>();
  for (const { id, event, data } of events) {
    const subject = String(data.sessionId ?? data.jobId ?? '');
    if (['connect_session.finished', 'identity_session.finished', 'job.finished', 'receipt.settled'].includes(event)) {
      told.set(subject, (told.get(subject) ?? new Set()).add(data.status));
    }
    if (data.connectionId === null || data.connectionId === undefined) continue;
    const place = `${data.connectionId}/${data.sequence}`;
    if ((places.get(place) ?? id) !== id) yield object('events', 'run', `two events have the place ${place}`);
    places.set(place, id);
  }
  for (const [id, { flow, kind }] of view.accepted) {
    const last = view.last(id)?.value;
    if (last === undefined || UNFINISHED.includes(last.status)) continue;
    const statuses = told.get(id) ?? new Set();
    if (!statuses.has(last.status)) {
      yield object(
        'events',
        flow,
        `${kind} ${id} ended ${last.status}; its app was told ${[...statuses].join() || 'nothing'}`,
      );
    }
    if (statuses.size > 1 && view.kindOf(id) !== 'REVOKE') {
      yield object('events', flow, `its app was told that ${kind} ${id} ended ${[...statuses].join(' and ')}`);
    }
  }
}

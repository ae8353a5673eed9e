import type { CallEntry, Entry } from './history.ts';
import type { Broken, PlatformRecord, Remains, Run } from './run.ts';

/*
 * The specification by hand. Nothing here is imported from the service.
 */
export const UNFINISHED = ['CREATED', 'AUTHORIZING', 'EXCHANGING', 'PENDING', 'QUEUED', 'RUNNING'];
/** Acts of operators that end or forbid what callers do. */
export const STOPS = [
  'disableApp',
  'removeTenant',
  'removeReturnUrl',
  'setPolicy',
  'setIdentity',
  'pauseRegistration',
  'stopServingApp',
  'serveApp',
  'disconnectConnection',
  'disconnectAll',
];
export const REMOVE = 'REMOVE_APP_AT_PROVIDER';

export type Answered = Extract<Entry, { type: 'answered' }>;
export type ReadKind = 'attempt' | 'job' | 'signIn';

/** One state of something as its caller read it. */
export interface Sight {
  readonly flow: string;
  readonly index: number;
  readonly kind: ReadKind;
  readonly id: string;
  readonly value: Answered['value'];
}

/** The history, indexed for the rules. */
export class View {
  readonly entries: readonly Entry[];
  readonly platform: PlatformRecord;
  readonly remains: Remains;
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

  constructor({ entries, platform, remains }: Run) {
    this.entries = entries;
    this.platform = platform;
    this.remains = remains;
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

  get events(): Extract<Entry, { type: 'event' }>[] {
    return this.entries.filter((entry) => entry.type === 'event') as never;
  }

  /** The acts of operators, also those whose answer was lost. */
  acts(...names: readonly string[]): readonly Extract<Entry, { type: 'operator' }>[] {
    return this.entries.filter((entry) => entry.type === 'operator' && names.includes(entry.act)) as never;
  }

  /** The kind of an accepted job: `REVOKE`, `ERASE` or the field that asked for it. */
  kindOf(id: string): string {
    const call = this.accepted.get(id)?.call ?? -1;
    const answer = this.calls.find(({ entry }) => entry.type === 'answered' && entry.call === call)?.entry as Answered;
    if (answer.field !== 'disconnectConnection') return answer.field;
    return answer.value.revokeJobId === id ? 'REVOKE' : 'ERASE';
  }
}

/** The connections that the last `connections` of each flow shows. */
export function finalConnections(view: View) {
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

/** A promise: what breaks it in a run. */
export type Promised = (view: View) => Iterable<Broken>;

export const broken = (flow: string, message: string): Broken => ({ flow, message });

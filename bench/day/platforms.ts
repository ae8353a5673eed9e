/** Work that waits for calls at its platform. */
export interface Work {
  readonly kind: 'UPKEEP' | 'REFRESH';
  readonly connectionId: string;
  /** Of a refresh. */
  readonly jobId: string | null;
  readonly appId: string;
  readonly registrationId: string;
  /** When the connection became due. */
  readonly dueAtMs: number;
}

/** Calls that are still to be made for one piece of work. */
interface Waiting {
  readonly work: Work;
  left: number;
}

/** Waiting work of one kind of calls. The apps take turns, one call each. */
class Line {
  readonly #apps = new Map<string, Waiting[]>();

  add(work: Work, calls: number): void {
    const own = this.#apps.get(work.appId);
    if (own === undefined) this.#apps.set(work.appId, [{ work, left: calls }]);
    else own.push({ work, left: calls });
  }

  get isWaiting(): boolean {
    return this.#apps.size > 0;
  }

  /** Makes one call for the app whose turn it is. @returns its work, and whether that was its last call; undefined if none waits. */
  call(): { work: Work; isLast: boolean } | undefined {
    for (const [appId, own] of this.#apps) {
      const [first] = own;
      this.#apps.delete(appId);
      if (first === undefined) continue;
      first.left -= 1;
      if (first.left === 0) own.shift();
      if (own.length > 0) this.#apps.set(appId, own);
      return { work: first.work, isLast: first.left === 0 };
    }
    return undefined;
  }
}

/** The part of a rate that is left to calls for grants, whatever else is asked. */
const GRANTS_SHARE = 1 / 4;
/** An upkeep refreshes the tokens, then reads the account. */
const UPKEEP_CALLS = 2;

/** The calls that one platform gets: those for grants have a quarter of the rate, reads come next, and grants take what is left. */
export class Platform {
  readonly #grants = new Line();
  readonly #reads = new Line();
  readonly #rate: number;
  readonly #readsEach: number;
  readonly #renewsForReads: boolean;
  #carried = 0;
  /** Calls of refreshes in all, without those that renew a token. */
  refreshCalls = 0;
  /** Calls by registration, since the last time that somebody asked. */
  readonly calls = new Map<string, number>();

  constructor(options: { callsPerSecond: number; callsPerRefresh: number; renewsForReads: boolean }) {
    this.#rate = options.callsPerSecond;
    this.#readsEach = options.callsPerRefresh;
    this.#renewsForReads = options.renewsForReads;
  }

  /** A refresh first renews the access token, if the platform's are short-lived. */
  add(work: Work): void {
    if (work.kind === 'UPKEEP') this.#grants.add(work, UPKEEP_CALLS);
    else if (this.#renewsForReads) this.#grants.add(work, 1);
    else this.#reads.add(work, this.#readsEach);
  }

  /** Whether calls are left for the next minute. */
  get isFull(): boolean {
    return this.#grants.isWaiting || this.#reads.isWaiting;
  }

  /** Makes the calls of some seconds. @returns the work that has had its last call, and the number of calls */
  run(seconds: number): { ended: Work[]; calls: number } {
    const ended: Work[] = [];
    const room = this.#rate * seconds + this.#carried;
    const most = Math.floor(room);
    this.#carried = room - most;
    let calls = this.#make(this.#grants, Math.ceil(most * GRANTS_SHARE), ended);
    calls += this.#make(this.#reads, most - calls, ended);
    calls += this.#make(this.#grants, most - calls, ended);
    return { ended, calls };
  }

  #make(line: Line, most: number, ended: Work[]): number {
    let made = 0;
    while (made < most) {
      const call = line.call();
      if (call === undefined) break;
      made += 1;
      const { work, isLast } = call;
      if (line === this.#reads) this.refreshCalls += 1;
      this.calls.set(work.registrationId, (this.calls.get(work.registrationId) ?? 0) + 1);
      if (!isLast) continue;
      if (line === this.#grants && work.kind === 'REFRESH') this.#reads.add(work, this.#readsEach);
      else ended.push(work);
    }
    return made;
  }
}

/** What a platform itself counts against the quotas of our clients, independently of the service. */
export class Quotas {
  readonly used = new Map<string, number>();
  readonly #units: ReadonlyMap<string, number | null>;

  constructor(units: ReadonlyMap<string, number | null>) {
    this.#units = units;
  }

  /** @returns how many of so many requests for units the platform answers. The next one it refuses. */
  use(registrationId: string, times: number, unitsEach: number): number {
    const units = this.#units.get(registrationId) ?? null;
    const used = this.used.get(registrationId) ?? 0;
    const answered = units === null ? times : Math.min(times, Math.floor((units - used) / unitsEach));
    this.used.set(registrationId, used + answered * unitsEach);
    return answered;
  }

  counts(registrationId: string): boolean {
    return (this.#units.get(registrationId) ?? null) !== null;
  }

  left(registrationId: string): number | null {
    const units = this.#units.get(registrationId) ?? null;
    return units === null ? null : units - (this.used.get(registrationId) ?? 0);
  }
}

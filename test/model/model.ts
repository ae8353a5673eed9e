/**
 * A small model of the service, written from its specification and without its code: what two people of one app may read
 * after any sequence of steps. Time is in milliseconds since the start of the sequence.
 */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Section 8, limits, and the decisions about give-up times. */
const ATTEMPT_DEADLINE = 10 * MINUTE;
const RESULT_READABLE = DAY;
const MAX_UNFINISHED = 5;
const READ_GIVES_UP = HOUR;
const REVOKE_GIVES_UP = 72 * HOUR;
const FINISHED_READABLE = 7 * DAY;

export type Provider = 'PROVIDER_B' | 'PROVIDER_C';
export type Person = 0 | 1;
export const PROVIDERS = ['PROVIDER_B', 'PROVIDER_C'] as const satisfies readonly Provider[];

/** PROVIDER_B revokes and then suspends siblings. PROVIDER_C has no revoke call. */
const canRevoke = (provider: Provider): boolean => provider === 'PROVIDER_B';

interface Attempt {
  readonly person: Person;
  readonly provider: Provider;
  /** The connection to reconnect. */
  readonly target: Connection | null;
  readonly createdAt: number;
  status: 'CREATED' | 'AUTHORIZING' | 'EXCHANGING' | 'COMPLETED' | 'DENIED' | 'FAILED' | 'CANCELED' | 'EXPIRED';
  resultCode: string | null;
  creatorAction: 'REMOVE_APP_AT_PROVIDER' | null;
  connection: Connection | null;
  /** The account that the person allowed, while the exchange waits for the platform. */
  account: number | null;
  /** Whether something may have ended the grant before its code was exchanged. */
  isContested: boolean;
  isErased: boolean;
}

interface Connection {
  readonly person: Person;
  readonly provider: Provider;
  readonly account: number;
  status: 'CONNECTED' | 'SUSPENDED' | 'RECONNECT_REQUIRED' | 'DISCONNECTED' | 'GONE';
  /** Whether the platform still has its grant. */
  isAlive: boolean;
  /** A scan that the service began by itself waits for the platform. */
  mayLearn: boolean;
  isErased: boolean;
}

interface Job {
  readonly kind: 'SCAN' | 'REVOKE' | 'ERASE';
  readonly connection: Connection;
  readonly createdAt: number;
  /** The window of a scan, in days. */
  readonly days: number | null;
  status: 'OPEN' | 'SUCCEEDED' | 'FAILED' | 'CANCELED';
  errorCode: string | null;
  creatorAction: 'REMOVE_APP_AT_PROVIDER' | null;
  endedAt: number;
  /** The platform answers again, so its next try may have happened. */
  mayEnd: boolean;
  /** Whether a caller has read its id. Nobody has if an operator's erasure began the disconnect. */
  isKnown: boolean;
}

/** How an attempt may end whose grant was revoked meanwhile. */
const CONTESTED = ['ACCOUNT_DISCONNECTING', 'EXCHANGE_FAILED'];

/** What a caller reads of one thing: the fields that matter, or the code of the refusal. */
export type Reading = Readonly<Record<string, string | number | null>> | string;

export class Model {
  now = 0;
  readonly attempts: Attempt[] = [];
  readonly connections: Connection[] = [];
  readonly jobs: Job[] = [];
  readonly #down = new Set<Provider>();

  isDown(provider: Provider): boolean {
    return this.#down.has(provider);
  }

  // Steps. Each returns the answer that the specification wants. -------------------------------------------------------

  create(person: Person, provider: Provider, target: Connection | null): { code: string } | { attempt: Attempt } {
    if (target !== null) {
      if (target.person !== person || target.provider !== provider || this.#isGone(target))
        return { code: 'NOT_FOUND' };
      if (target.status === 'DISCONNECTED') return { code: 'DISCONNECT_IN_PROGRESS' };
    }
    if (this.#isHeld(person, provider)) return { code: 'FORBIDDEN' };
    const unfinished = this.attempts.filter(
      (one) => one.person === person && one.provider === provider && !one.isErased && this.isUnfinished(one),
    );
    if (unfinished.length >= MAX_UNFINISHED) return { code: 'RATE_LIMITED' };
    const attempt: Attempt = {
      person,
      provider,
      target,
      createdAt: this.now,
      status: 'CREATED',
      resultCode: null,
      creatorAction: null,
      connection: null,
      account: null,
      isContested: false,
      isErased: false,
    };
    this.attempts.push(attempt);
    return { attempt };
  }

  isUnfinished(attempt: Attempt): boolean {
    return (
      ['CREATED', 'AUTHORIZING', 'EXCHANGING'].includes(attempt.status) &&
      this.now < attempt.createdAt + ATTEMPT_DEADLINE
    );
  }

  /** @returns whether the browser reaches the platform */
  launch(attempt: Attempt): boolean {
    if (!this.isUnfinished(attempt) || attempt.status !== 'CREATED') return false;
    if (this.#isHeld(attempt.person, attempt.provider)) {
      this.#end(attempt, 'FAILED', 'ACCOUNT_DISCONNECTING');
      return false;
    }
    attempt.status = 'AUTHORIZING';
    return true;
  }

  /** The person answers the platform's page; `account` is null if they deny. */
  answer(attempt: Attempt, account: number | null): void {
    if (!this.isUnfinished(attempt) || attempt.status !== 'AUTHORIZING') return;
    if (account === null) this.#end(attempt, 'DENIED', 'ACCESS_DENIED');
    else if (this.#isHeld(attempt.person, attempt.provider)) this.#end(attempt, 'FAILED', 'ACCOUNT_DISCONNECTING');
    else {
      attempt.status = 'EXCHANGING';
      attempt.account = account;
      if (!this.isDown(attempt.provider)) this.#complete(attempt);
    }
  }

  disconnect(person: Person, connection: Connection): { code: string } | { revoke: Job; erase: Job } {
    if (connection.person !== person || this.#isGone(connection)) return { code: 'NOT_FOUND' };
    const known = this.jobs.filter((job) => job.connection === connection && job.kind !== 'SCAN');
    const [revoke, erase] = known;
    if (revoke !== undefined && erase !== undefined) return { revoke, erase };
    return this.#startDisconnect(connection);
  }

  /** Requests a scan of the last `days` days. */
  scan(person: Person, connection: Connection, days: number): { code: string } | { job: Job; isNew: boolean } {
    if (connection.person !== person || this.#isGone(connection)) return { code: 'NOT_FOUND' };
    if (connection.status === 'SUSPENDED') return { code: 'AUTHORIZATION_SUSPENDED' };
    if (connection.status === 'RECONNECT_REQUIRED') return { code: 'RECONNECT_REQUIRED' };
    if (connection.status === 'DISCONNECTED') return { code: 'DISCONNECT_IN_PROGRESS' };
    const open = this.jobs.find((job) => job.kind === 'SCAN' && job.connection === connection && job.status === 'OPEN');
    if (open !== undefined) return open.days === days ? { job: open, isNew: false } : { code: 'SYNC_WINDOW_BUSY' };
    const job = this.#addJob('SCAN', connection, days);
    connection.mayLearn = false; // The caller's scan replaces ours.
    if (!this.isDown(connection.provider)) this.#runScan(job);
    return { job, isNew: true };
  }

  /** An operator retries all jobs that wait and all revokes that failed. */
  retry(job: Job): void {
    if (job.kind === 'REVOKE' && job.status === 'FAILED' && !job.connection.isErased) {
      job.status = 'OPEN';
      job.errorCode = null;
      if (this.isDown(job.connection.provider)) return;
      this.#settleRevoke(job, true);
    } else if (job.status === 'OPEN' && !this.isDown(job.connection.provider)) this.#tryAgain(job);
  }

  canRetry(job: Job): boolean {
    if (job.kind === 'ERASE' || !job.isKnown) return false;
    if (job.status === 'OPEN') return !this.#isForgotten(job) && !job.mayEnd;
    // Tokens of a failed revoke stay for seven days, and an erasure of the person discards them.
    const isKept = !job.connection.isErased && this.now < job.createdAt + FINISHED_READABLE;
    return job.kind === 'REVOKE' && job.status === 'FAILED' && isKept;
  }

  /** An operator erases a person: nothing of theirs can be read at once, except receipts. */
  erase(person: Person): boolean {
    const connections = this.connections.filter((one) => one.person === person && !this.#isGone(one));
    const attempts = this.attempts.filter((one) => one.person === person && !one.isErased);
    for (const connection of connections) {
      if (connection.status === 'DISCONNECTED') continue;
      const { revoke, erase } = this.#startDisconnect(connection);
      revoke.isKnown = false;
      erase.isKnown = false;
    }
    for (const attempt of attempts) {
      if (this.isUnfinished(attempt)) this.#end(attempt, 'CANCELED', 'CANCELED');
      attempt.isErased = true;
    }
    for (const connection of this.connections) if (connection.person === person) connection.isErased = true;
    return connections.length + attempts.length > 0;
  }

  /** The person removes the app at the platform, which tells nobody. */
  removeApp(provider: Provider, account: number): void {
    for (const one of this.connections) if (one.provider === provider && one.account === account) one.isAlive = false;
    for (const one of this.attempts) {
      if (one.status === 'EXCHANGING' && one.provider === provider && one.account === account) one.isContested = true;
    }
  }

  breakPlatform(provider: Provider): void {
    this.#down.add(provider);
  }

  repairPlatform(provider: Provider): void {
    this.#down.delete(provider);
    for (const job of this.jobs) if (job.connection.provider === provider && job.status === 'OPEN') job.mayEnd = true;
  }

  advance(ms: number): void {
    this.now += ms;
    for (const attempt of this.attempts) {
      const isOpen = ['CREATED', 'AUTHORIZING', 'EXCHANGING'].includes(attempt.status);
      if (isOpen && !this.isUnfinished(attempt)) this.#end(attempt, 'EXPIRED', 'EXPIRED');
    }
    for (const job of this.jobs.filter(({ status }) => status === 'OPEN')) {
      const limit = job.kind === 'SCAN' ? READ_GIVES_UP : REVOKE_GIVES_UP;
      if (job.kind === 'ERASE') continue;
      if (!this.isDown(job.connection.provider)) {
        // Every wait ends within an hour.
        if (ms >= HOUR) this.#tryAgain(job);
      } else if (this.now >= job.createdAt + limit) {
        if (job.kind === 'SCAN') this.#endJob(job, 'FAILED', 'PROVIDER_UNAVAILABLE');
        else this.#settleRevoke(job, false);
      }
    }
    if (ms >= HOUR) for (const provider of PROVIDERS) this.#releaseSiblings(provider);
  }

  // Readings -----------------------------------------------------------------------------------------------------------

  readAttempt(attempt: Attempt): Reading {
    if (attempt.isErased || this.now >= attempt.createdAt + RESULT_READABLE) return 'NOT_FOUND';
    const { status, resultCode, creatorAction, connection } = attempt;
    return { status, resultCode, creatorAction, connection: connection && this.connections.indexOf(connection) };
  }

  readConnection(connection: Connection): Reading {
    return this.#isGone(connection) ? 'NOT_FOUND' : { status: connection.status };
  }

  listConnections(person: Person): number[] {
    return this.connections.flatMap((one, index) => (one.person === person && !this.#isGone(one) ? [index] : []));
  }

  readJob(job: Job): Reading {
    if (this.#isForgotten(job)) return 'NOT_FOUND';
    const { errorCode, creatorAction } = job;
    return job.status === 'OPEN' ? { status: 'OPEN' } : { status: job.status, errorCode, creatorAction };
  }

  /** Takes over what was read, if it is allowed though not certain. @returns whether it was */
  adoptAttempt(attempt: Attempt, reading: Reading): boolean {
    const wasSeen = typeof reading === 'object' && reading.status !== 'EXCHANGING';
    if (attempt.status !== 'EXCHANGING' || !wasSeen || this.isDown(attempt.provider)) return false;
    if (attempt.isContested && reading.status === 'FAILED') {
      if (!CONTESTED.includes(String(reading.resultCode))) return false;
      this.#end(attempt, 'FAILED', String(reading.resultCode));
    } else this.#complete(attempt);
    return true;
  }

  adoptJob(job: Job, reading: Reading): boolean {
    const hasEnded = typeof reading === 'object' && reading.status !== 'OPEN';
    if (job.status !== 'OPEN' || !job.mayEnd || !hasEnded || this.isDown(job.connection.provider)) return false;
    this.#tryAgain(job);
    return true;
  }

  adoptConnection(connection: Connection, reading: Reading): boolean {
    const status = typeof reading === 'object' ? reading.status : reading;
    // Nobody told us, so we find out with the next call.
    if (connection.status === 'CONNECTED' && !connection.isAlive && status === 'RECONNECT_REQUIRED') {
      connection.status = status;
      return true;
    }
    // The platform answers again, so it may have been asked about a suspended one.
    if (connection.status !== 'SUSPENDED' || status === 'SUSPENDED') return false;
    this.#releaseSiblings(connection.provider);
    return (connection.status as string) !== 'SUSPENDED';
  }

  // Rules --------------------------------------------------------------------------------------------------------------

  #isGone(connection: Connection): boolean {
    return connection.status === 'GONE' || connection.isErased;
  }

  /** Read jobs go with their connection. Receipts stay for seven days, also after the erase. */
  #isForgotten(job: Job): boolean {
    if (job.kind !== 'SCAN') {
      return job.connection.status === 'GONE' && this.now >= job.createdAt + FINISHED_READABLE;
    }
    if (this.#isGone(job.connection)) return true;
    return job.status !== 'OPEN' && this.now >= job.endedAt + FINISHED_READABLE;
  }

  /** While a revoke of the person at the provider is unsettled. */
  #isHeld(person: Person, provider: Provider): boolean {
    return (
      canRevoke(provider) &&
      this.connections.some(
        (one) => one.person === person && one.provider === provider && one.status === 'DISCONNECTED' && !one.isErased,
      )
    );
  }

  /** While a revoke of the same account is unsettled, in any scope. */
  #isAccountHeld(provider: Provider, account: number): boolean {
    return (
      canRevoke(provider) &&
      this.connections.some(
        (one) => one.provider === provider && one.account === account && one.status === 'DISCONNECTED',
      )
    );
  }

  #complete(attempt: Attempt): void {
    const { person, provider, target } = attempt;
    const account = attempt.account ?? 0;
    if (this.#isHeld(person, provider) || this.#isAccountHeld(provider, account)) {
      this.#end(attempt, 'FAILED', 'ACCOUNT_DISCONNECTING');
      return;
    }
    if (target !== null && target.account !== account) {
      this.#end(attempt, 'FAILED', 'ACCOUNT_MISMATCH');
      attempt.creatorAction = canRevoke(provider) ? null : 'REMOVE_APP_AT_PROVIDER';
      return;
    }
    const known = this.connections.find(
      (one) => one.person === person && one.provider === provider && one.account === account && !this.#isGone(one),
    );
    const connection = known ?? {
      person,
      provider,
      account,
      status: 'CONNECTED',
      isAlive: true,
      mayLearn: false,
      isErased: false,
    };
    if (known === undefined) this.connections.push(connection);
    connection.status = 'CONNECTED';
    connection.isAlive = true;
    this.#end(attempt, 'COMPLETED', null);
    attempt.connection = connection;
    for (const other of this.attempts) {
      if (other !== attempt && other.target === connection && this.isUnfinished(other)) {
        this.#end(other, 'CANCELED', 'CANCELED');
      }
    }
  }

  #startDisconnect(connection: Connection): { revoke: Job; erase: Job } {
    const { person, provider, account } = connection;
    // Nothing is left to revoke if we know that the grant has ended.
    const hasEnded = connection.status === 'RECONNECT_REQUIRED';
    connection.status = 'DISCONNECTED';
    for (const job of this.jobs) {
      if (job.kind === 'SCAN' && job.connection === connection && job.status === 'OPEN') {
        this.#endJob(job, 'CANCELED', 'CONNECTION_DISCONNECTED');
      }
    }
    for (const attempt of this.attempts) {
      if (attempt.target === connection && this.isUnfinished(attempt)) this.#end(attempt, 'CANCELED', 'CANCELED');
    }
    if (canRevoke(provider)) {
      for (const one of this.connections) {
        const isSibling = one.provider === provider && (one.person === person || one.account === account);
        if (isSibling && one.status === 'CONNECTED') one.status = 'SUSPENDED';
      }
    }
    const revoke = this.#addJob('REVOKE', connection, null);
    const erase = this.#addJob('ERASE', connection, null);
    if (hasEnded || !canRevoke(provider) || !this.isDown(provider)) this.#settleRevoke(revoke, true);
    return { revoke, erase };
  }

  /** The revoke has ended: the erase follows, and the siblings go on or need a reconnect. */
  #settleRevoke(revoke: Job, isRevoked: boolean): void {
    const { connection } = revoke;
    const { provider, account } = connection;
    const asksPerson = !isRevoked || !canRevoke(provider);
    this.#endJob(revoke, isRevoked ? 'SUCCEEDED' : 'FAILED', isRevoked ? null : 'PROVIDER_UNAVAILABLE');
    revoke.creatorAction = asksPerson ? 'REMOVE_APP_AT_PROVIDER' : null;
    if (isRevoked && canRevoke(provider)) this.removeApp(provider, account);
    connection.status = 'GONE';
    const erase = this.jobs.find((job) => job.kind === 'ERASE' && job.connection === connection);
    if (erase?.status === 'OPEN') this.#endJob(erase, 'SUCCEEDED', null);
    this.#releaseSiblings(provider);
  }

  /** A sibling leaves SUSPENDED when no revoke that could end it is unsettled and the platform answers about it. */
  #releaseSiblings(provider: Provider): void {
    if (this.isDown(provider)) return;
    for (const one of this.connections) {
      if (one.provider !== provider || one.status !== 'SUSPENDED') continue;
      if (this.#isHeld(one.person, provider) || this.#isAccountHeld(provider, one.account)) continue;
      one.status = one.isAlive ? 'CONNECTED' : 'RECONNECT_REQUIRED';
    }
  }

  #tryAgain(job: Job): void {
    if (job.kind === 'SCAN') this.#runScan(job);
    if (job.kind === 'REVOKE') this.#settleRevoke(job, true);
  }

  #runScan(job: Job): void {
    const { connection } = job;
    if (connection.isAlive) this.#endJob(job, 'SUCCEEDED', null);
    else this.#endJob(job, 'FAILED', 'RECONNECT_REQUIRED');
    if (!connection.isAlive && connection.status === 'CONNECTED') connection.status = 'RECONNECT_REQUIRED';
  }

  #addJob(kind: Job['kind'], connection: Connection, days: number | null): Job {
    const job: Job = {
      kind,
      connection,
      createdAt: this.now,
      days,
      status: 'OPEN',
      errorCode: null,
      creatorAction: null,
      endedAt: 0,
      mayEnd: false,
      isKnown: true,
    };
    this.jobs.push(job);
    return job;
  }

  #end(attempt: Attempt, status: Attempt['status'], resultCode: string | null): void {
    attempt.status = status;
    attempt.resultCode = resultCode;
  }

  #endJob(job: Job, status: Job['status'], errorCode: string | null): void {
    job.status = status;
    job.errorCode = errorCode;
    job.endedAt = this.now;
  }
}

export type { Attempt, Connection, Job };

import { createHash, randomBytes } from 'node:crypto';
import type { Capability, SocialProvider } from 'social-account-connection-client';
import { Changes } from './changes.ts';
import type { SignedIn, Storage } from './storage.ts';
import type { UnfinishedSignIn } from './unfinished-sign-ins.ts';

/** A launch for this browser session. The token is deleted as soon as its form has been served. */
export interface Launch {
  readonly url: string;
  token: string | undefined;
  readonly expiresAt: string;
}

/** One attempt to connect an account. */
export interface ConnectAttempt {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly reconnectConnectionId: string | undefined;
  readonly capabilities: readonly Capability[];
  readonly launch: Launch;
  /** Whether the browser has returned with the id. */
  returned: boolean;
}

/** One attempt to sign in. */
export interface SignIn {
  readonly id: string;
  readonly launch: Launch;
  /** Redeems the result. It is sent only to the service. */
  readonly resultProof: string;
  /** Counts against the limit of its network. */
  readonly open: UnfinishedSignIn;
  returned: boolean;
}

/** A message that the next page shows once. */
export interface Notice {
  readonly mood: 'good' | 'bad' | 'plain';
  readonly text: string;
  readonly link?: { readonly href: string; readonly text: string } | undefined;
  readonly reference?: string | undefined;
}

/** The session of one browser. */
export interface Session {
  readonly userId: string | undefined;
  readonly expiresAtMs: number;
  readonly attempts: Map<string, ConnectAttempt>;
  signIn: SignIn | undefined;
  notice: Notice | undefined;
  /** The URL of the last lookup of each account that has not found a post, so that the person can correct it. */
  readonly lookups: Map<string, string>;
  /** What the session's open pages listen to. */
  readonly changes: Changes;
}

const MINUTE_MS = 60_000;
const ANONYMOUS_MS = 30 * MINUTE_MS;
const SIGNED_IN_MS = 12 * 60 * MINUTE_MS;
const MAX_SESSIONS = 10_000;
/** The most attempts that a session keeps. The service allows five unfinished ones for each provider. */
const MAX_ATTEMPTS = 15;

const hash = (sessionId: string) => createHash('sha256').update(sessionId).digest('base64url');

/**
 * Keeps sessions in memory under the hash of their id, and signed-in sessions also in storage. An application with several
 * processes needs a store that they share.
 */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
    for (const { sessionHash, userId, expiresAtMs } of storage.listSignedIn()) {
      this.#sessions.set(sessionHash, newSession(userId, expiresAtMs));
    }
  }

  /** @returns undefined if the id is unknown, or its session has ended or expired. */
  find(sessionId: string | undefined): Session | undefined {
    if (sessionId === undefined) return undefined;
    const session = this.#sessions.get(hash(sessionId));
    return session !== undefined && session.expiresAtMs > Date.now() ? session : undefined;
  }

  /** Starts a session before the sign-in. @returns the id for the cookie. */
  begin(): { sessionId: string; session: Session } {
    return this.#add(undefined, ANONYMOUS_MS);
  }

  /** Ends the previous session and starts one with a new id, so that an id from before the sign-in is useless. */
  signIn(previousId: string | undefined, userId: string): { sessionId: string; session: Session } {
    this.end(previousId);
    const begun = this.#add(userId, SIGNED_IN_MS);
    this.#save();
    return begun;
  }

  end(sessionId: string | undefined): void {
    if (sessionId === undefined) return;
    const key = hash(sessionId);
    const session = this.#sessions.get(key);
    this.#delete(key);
    if (session?.userId !== undefined) this.#save(); // Otherwise a request with an invented id would write the file.
  }

  /** Lists the sessions in which a person is signed in. */
  listOf(userId: string): readonly Session[] {
    return [...this.#sessions.values()].filter((session) => session.userId === userId);
  }

  /** Finds the session that started an attempt to connect or to sign in. */
  findByAttempt(id: string): Session | undefined {
    return [...this.#sessions.values()].find((session) => session.attempts.has(id) || session.signIn?.id === id);
  }

  #delete(key: string): void {
    this.#sessions.get(key)?.changes.end();
    this.#sessions.delete(key);
  }

  #add(userId: string | undefined, lifeMs: number) {
    this.#makeRoom();
    const sessionId = randomBytes(32).toString('base64url');
    const session = newSession(userId, Date.now() + lifeMs);
    this.#sessions.set(hash(sessionId), session);
    return { sessionId, session };
  }

  /** Removes expired sessions, and the oldest if there are too many. */
  #makeRoom(): void {
    for (const [key, session] of this.#sessions) {
      if (session.expiresAtMs <= Date.now() || this.#sessions.size >= MAX_SESSIONS) this.#delete(key);
    }
  }

  #save(): void {
    const signedIn: SignedIn[] = [];
    for (const [sessionHash, { userId, expiresAtMs }] of this.#sessions) {
      if (userId !== undefined) signedIn.push({ sessionHash, userId, expiresAtMs });
    }
    this.#storage.saveSignedIn(signedIn);
  }
}

const newSession = (userId: string | undefined, expiresAtMs: number): Session => ({
  userId,
  expiresAtMs,
  attempts: new Map(),
  signIn: undefined,
  notice: undefined,
  lookups: new Map(),
  changes: new Changes(),
});

/**
 * Whether the form of a launch can still be served. If so, its attempt can be reused. After that, this application cannot
 * know whether the token has been spent.
 */
export const isUnserved = ({ token, expiresAt }: Launch): boolean =>
  token !== undefined && Date.parse(expiresAt) > Date.now();

/** Finds an attempt of this session for the same choice whose form has not been served. */
export function findUnservedAttempt(
  session: Session,
  choice: Pick<ConnectAttempt, 'provider' | 'reconnectConnectionId' | 'capabilities'>,
): ConnectAttempt | undefined {
  const key = (one: typeof choice) =>
    JSON.stringify([one.provider, one.reconnectConnectionId, [...one.capabilities].sort()]);
  return [...session.attempts.values()].find(({ launch, ...one }) => isUnserved(launch) && key(one) === key(choice));
}

const MAX_LOOKUPS = 20;
const MAX_URL_LENGTH = 2048;

/** Keeps the URL of a lookup, and forgets the oldest if there are too many. */
export function keepLookup({ lookups }: Session, connectionId: string, url: string): void {
  lookups.delete(connectionId);
  for (const id of lookups.keys()) {
    if (lookups.size < MAX_LOOKUPS) break;
    lookups.delete(id);
  }
  lookups.set(connectionId, url.slice(0, MAX_URL_LENGTH));
}

/** Adds an attempt to the session and removes the oldest if there are too many. */
export function addAttempt(session: Session, attempt: ConnectAttempt): void {
  for (const id of session.attempts.keys()) {
    if (session.attempts.size < MAX_ATTEMPTS) break;
    session.attempts.delete(id);
  }
  session.attempts.set(attempt.id, attempt);
}

import { createHash, randomBytes } from 'node:crypto';
import type { Capability, SocialProvider } from 'social-account-connection-client';
import { Changes } from './changes.ts';
import type { Storage } from './storage.ts';

/** A launch for this browser session. The token is deleted as soon as its form has been served. */
export interface Launch {
  readonly url: string;
  token: string | undefined;
  readonly expiresAt: string;
}

interface Attempt {
  readonly id: string;
  readonly launch: Launch;
  /** Whether the browser has returned with the id. */
  returned: boolean;
}

export interface ConnectAttempt extends Attempt {
  readonly provider: SocialProvider;
  readonly reconnect: string | undefined;
  readonly capabilities: readonly Capability[];
}

interface SignIn extends Attempt {
  /** Redeems the result. It is sent only to the service. */
  readonly resultProof: string;
  /** Ends its count against the limit of its network. */
  readonly release: () => void;
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
  /** The URL of the last lookup of each account that has not found a post, so that the person can correct it. */
  readonly lookups: Map<string, string>;
  /** What the session's open pages listen to. */
  readonly changes: Changes;
  signIn?: SignIn | undefined;
  notice?: Notice | undefined;
}

const MINUTE_MS = 60_000;
const ANONYMOUS_MS = 30 * MINUTE_MS;
const SIGNED_IN_MS = 12 * 60 * MINUTE_MS;
const MAX_SESSIONS = 10_000;
/** The service allows five unfinished attempts for each provider. */
const MAX_ATTEMPTS = 15;
const MAX_LOOKUPS = 20;
const MAX_URL_LENGTH = 2048;

const hash = (sessionId: string) => createHash('sha256').update(sessionId).digest('base64url');

/**
 * Keeps sessions in memory under the hash of their id, and signed-in sessions also in storage. An application with several
 * processes needs a store that they share.
 */
export class Sessions {
  readonly #sessions: Map<string, Session>;
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#sessions = new Map(storage.listSignedIn().map((one) => [one.sessionHash, newSession(one)]));
  }

  /** @returns undefined if the id is unknown, or its session has ended or expired. */
  find(sessionId: string | undefined): Session | undefined {
    const session = sessionId === undefined ? undefined : this.#sessions.get(hash(sessionId));
    return session !== undefined && session.expiresAtMs > Date.now() ? session : undefined;
  }

  /** Starts a session. @returns the id for the cookie. */
  begin(userId?: string): { sessionId: string; session: Session } {
    for (const [key, { expiresAtMs }] of this.#sessions) {
      if (expiresAtMs <= Date.now() || this.#sessions.size >= MAX_SESSIONS) this.#delete(key); // The oldest come first.
    }
    const sessionId = randomBytes(32).toString('base64url');
    const lifeMs = userId === undefined ? ANONYMOUS_MS : SIGNED_IN_MS;
    const session = newSession({ userId, expiresAtMs: Date.now() + lifeMs });
    this.#sessions.set(hash(sessionId), session);
    if (userId !== undefined) this.#save();
    return { sessionId, session };
  }

  end(sessionId: string | undefined): void {
    const wasSignedIn = sessionId !== undefined && this.#delete(hash(sessionId))?.userId !== undefined;
    if (wasSignedIn) this.#save(); // Otherwise a request with an invented id would write the file.
  }

  /** Lists the sessions in which a person is signed in. */
  listOf(userId: string): readonly Session[] {
    return [...this.#sessions.values()].filter((session) => session.userId === userId);
  }

  /** Finds the session that started an attempt to connect or to sign in. */
  findByAttempt(id: string): Session | undefined {
    return [...this.#sessions.values()].find((session) => session.attempts.has(id) || session.signIn?.id === id);
  }

  #delete(key: string): Session | undefined {
    const session = this.#sessions.get(key);
    session?.changes.end();
    this.#sessions.delete(key);
    return session;
  }

  #save(): void {
    this.#storage.saveSignedIn(
      [...this.#sessions].flatMap(([sessionHash, { userId, expiresAtMs }]) =>
        userId === undefined ? [] : [{ sessionHash, userId, expiresAtMs }],
      ),
    );
  }
}

const newSession = ({ userId, expiresAtMs }: Pick<Session, 'userId' | 'expiresAtMs'>): Session => ({
  userId,
  expiresAtMs,
  attempts: new Map(),
  lookups: new Map(),
  changes: new Changes(),
});

/**
 * Whether the form of a launch can still be served. If so, its attempt can be reused. After that, this application cannot
 * know whether the token has been spent.
 */
export const isUnserved = ({ token, expiresAt }: Launch): boolean =>
  token !== undefined && Date.parse(expiresAt) > Date.now();

type Choice = Pick<ConnectAttempt, 'provider' | 'reconnect' | 'capabilities'>;
const toKey = ({ provider, reconnect, capabilities }: Choice) =>
  JSON.stringify([provider, reconnect, [...capabilities].sort()]);

/** Finds an attempt of this session for the same choice whose form has not been served. */
export const findUnservedAttempt = ({ attempts }: Session, choice: Choice): ConnectAttempt | undefined =>
  [...attempts.values()].find((one) => isUnserved(one.launch) && toKey(one) === toKey(choice));

export const addAttempt = ({ attempts }: Session, attempt: ConnectAttempt): void =>
  setNewest(attempts, attempt.id, attempt, MAX_ATTEMPTS);

export const keepLookup = ({ lookups }: Session, connectionId: string, url: string): void =>
  setNewest(lookups, connectionId, url.slice(0, MAX_URL_LENGTH), MAX_LOOKUPS);

/** Adds an entry, and forgets the oldest if there are more than `max`. */
function setNewest<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= max) break;
    map.delete(oldest);
  }
}

import { createHash, randomBytes, randomInt } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { Capability, ConnectSession, IdpIdentitySession, SocialProvider } from 'social-account-connection-client';
import type { Storage } from './storage.ts';

/** A launch for this browser session. Its token is deleted as soon as its form has been served. */
export interface Launch extends Omit<ConnectSession, 'launchToken'> {
  launchToken: string | undefined;
  /** Whether the browser has returned with the id. */
  returned: boolean;
}

/** The account that a person wants to connect. `reconnect` is the id of a connection. */
export interface ConnectChoice {
  readonly provider: SocialProvider;
  readonly reconnect: string | undefined;
  readonly capabilities: readonly Capability[];
}
/** `isOver` once its result was seen. */
export type ConnectAttempt = Launch & ConnectChoice & { isOver?: boolean | undefined };

/** The proof redeems the result; only the service gets it. `release` ends its count against its network's limit. */
type SignIn = Launch & Pick<IdpIdentitySession, 'resultProof'> & { readonly release: () => void };

/** A message that the next page shows once. */
export interface Notice {
  readonly mood: 'good' | 'bad' | 'plain';
  readonly text: string;
  readonly link?: { readonly href: string; readonly text: string };
  readonly reference?: string | undefined;
}

export interface Session {
  readonly userId: string | undefined;
  readonly expiresAtMs: number;
  readonly attempts: Map<string, ConnectAttempt>;
  /** The last lookup, until it has found a post, so that the person can correct its URL. */
  lookup?: { readonly connectionId: string; readonly url: string } | undefined;
  readonly changes: Changes;
  signIn?: SignIn | undefined;
  notice?: Notice | undefined;
}

const newVersion = () => String(randomInt(2 ** 47));

/** Notifies the open pages of one session that they show old data, or that the session has ended. */
class Changes {
  /** Changes whenever a page should be read again. Random, so that it differs from the versions before a restart. */
  version = newVersion();
  readonly #emitter = new EventEmitter();
  isOver = false;
  /** How many streams read these changes. */
  streams = 0;

  announce(): void {
    this.version = newVersion();
    this.wake();
  }

  end(): void {
    this.isOver = true;
    this.wake();
  }

  wake(): void {
    this.#emitter.emit('wake');
  }

  /** Waits until `wake`, or for `ms`. */
  async wait(ms: number): Promise<void> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), ms);
    await once(this.#emitter, 'wake', { signal: timeout.signal }).catch(() => {}); // Time is up.
    clearTimeout(timer);
  }
}

const ANONYMOUS_MS = 30 * 60_000;
const SIGNED_IN_MS = 12 * 60 * 60_000;
const MAX_SESSIONS = 10_000;
/** The service allows five unfinished attempts for each provider. */
const MAX_ATTEMPTS = 15;

const hash = (sessionId = '') => createHash('sha256').update(sessionId).digest('base64url');

function newSession({ userId, expiresAtMs }: Pick<Session, 'userId' | 'expiresAtMs'>): Session {
  return { userId, expiresAtMs, attempts: new Map(), changes: new Changes() };
}

/** In memory, under the hash of the id; signed-in ones also in storage. Several processes need a store they share. */
export class Sessions {
  readonly #sessions: Map<string, Session>;
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#sessions = new Map(storage.contents.signedIn.map((one) => [one.sessionHash, newSession(one)]));
  }

  /** @returns undefined if the id is unknown, or its session has ended or expired. */
  find(sessionId: string | undefined): Session | undefined {
    const session = this.#sessions.get(hash(sessionId));
    return session !== undefined && session.expiresAtMs > Date.now() ? session : undefined;
  }

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
    const wasSignedIn = this.#delete(hash(sessionId))?.userId !== undefined;
    if (wasSignedIn) this.#save(); // Otherwise a request with an invented id would write the file.
  }

  /** The sessions in which a person is signed in, and the one that started an attempt to connect or to sign in. */
  list({ userId, attemptId = '' }: { userId: string | undefined; attemptId: string | undefined }): Session[] {
    const started = (one: Session) => one.attempts.has(attemptId) || one.signIn?.id === attemptId;
    const isOwn = (one: Session) => userId !== undefined && one.userId === userId;
    return [...this.#sessions.values()].filter((one) => isOwn(one) || started(one));
  }

  #delete(key: string): Session | undefined {
    const session = this.#sessions.get(key);
    session?.changes.end();
    this.#sessions.delete(key);
    return session;
  }

  #save(): void {
    this.#storage.contents.signedIn = [...this.#sessions].flatMap(([sessionHash, { userId, expiresAtMs }]) =>
      userId === undefined ? [] : { sessionHash, userId, expiresAtMs },
    );
    this.#storage.save();
  }
}

/** Whether an attempt can be reused. Once its form has been served, its token may have been spent. */
export const isUnserved = ({ launchToken, expiresAt }: Launch): boolean =>
  launchToken !== undefined && Date.parse(expiresAt) > Date.now();

/** The attempts from which the browser has returned, whose end has not been seen, and of which the service keeps a result. */
export const listReturnedAttempts = ({ attempts }: Session): ConnectAttempt[] =>
  [...attempts.values()].filter(
    ({ returned, isOver, resultExpiresAt }) => returned && !isOver && Date.parse(resultExpiresAt) > Date.now(),
  );

const toKey = ({ provider, reconnect, capabilities }: ConnectChoice) =>
  JSON.stringify([provider, reconnect, [...capabilities].sort()]);

/** Finds an attempt of this session for the same choice whose form has not been served. */
export const findUnservedAttempt = ({ attempts }: Session, choice: ConnectChoice): ConnectAttempt | undefined =>
  [...attempts.values()].find((one) => isUnserved(one) && toKey(one) === toKey(choice));

/** Adds an attempt, and forgets the oldest if there are too many. */
export function addAttempt({ attempts }: Session, attempt: ConnectAttempt): void {
  attempts.set(attempt.id, attempt);
  const [oldest = ''] = attempts.keys();
  if (attempts.size > MAX_ATTEMPTS) attempts.delete(oldest);
}

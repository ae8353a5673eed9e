import { createHash, randomBytes } from 'node:crypto';
import type { Capability, SocialProvider } from './generated/service.ts';
import type { SignedIn, Storage } from './storage.ts';
import type { UnfinishedSignIn } from './unfinished-sign-ins.ts';

/** A launch this browser has been promised. The token is forgotten as soon as its form has been served. */
export interface Launch {
  readonly url: string;
  token: string | undefined;
  readonly expiresAt: string;
}

/** One try to connect an account, by the service's id of it. */
export interface ConnectAttempt {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly reconnectConnectionId: string | undefined;
  readonly capabilities: readonly Capability[];
  readonly launch: Launch;
  /** Whether the browser has come back with its id. */
  returned: boolean;
}

/** One try to sign in. */
export interface SignIn {
  readonly id: string;
  readonly launch: Launch;
  /** Redeems the result. It never leaves this process. */
  readonly resultProof: string;
  /** Its place among the unfinished ones of its network. */
  readonly open: UnfinishedSignIn;
  returned: boolean;
}

/** What is said once, on the next page. */
export interface Notice {
  readonly mood: 'good' | 'bad' | 'plain';
  readonly text: string;
  readonly reference?: string | undefined;
}

/** What this server knows of one browser. */
export interface Session {
  readonly userId: string | undefined;
  readonly expiresAtMs: number;
  readonly attempts: Map<string, ConnectAttempt>;
  signIn: SignIn | undefined;
  notice: Notice | undefined;
}

const MINUTE_MS = 60_000;
const ANONYMOUS_MS = 30 * MINUTE_MS;
const SIGNED_IN_MS = 12 * 60 * MINUTE_MS;
const MAX_SESSIONS = 10_000;
/** Tries a browser may have open side by side; the service allows five for each provider. */
const MAX_ATTEMPTS = 15;

const hash = (sessionId: string) => createHash('sha256').update(sessionId).digest('base64url');

/**
 * Sessions in this process's memory, by the hash of their id; signed-in ones are also in storage. An application that
 * runs as more than one process keeps them where all of them can see them.
 */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
    for (const { sessionHash, userId, expiresAtMs } of storage.signedIn()) {
      this.#sessions.set(sessionHash, newSession(userId, expiresAtMs));
    }
  }

  /** @returns undefined for an id never given out, ended or expired. */
  find(sessionId: string | undefined): Session | undefined {
    if (sessionId === undefined) return undefined;
    const session = this.#sessions.get(hash(sessionId));
    return session !== undefined && session.expiresAtMs > Date.now() ? session : undefined;
  }

  /** For a browser nobody has signed in with yet. @returns its id, for the cookie. */
  begin(): { sessionId: string; session: Session } {
    return this.#add(undefined, ANONYMOUS_MS);
  }

  /** Ends the session the browser had and begins one under a new id: an id planted before the sign-in opens nothing. */
  signIn(previousId: string | undefined, userId: string): { sessionId: string; session: Session } {
    this.end(previousId);
    const begun = this.#add(userId, SIGNED_IN_MS);
    this.#save();
    return begun;
  }

  end(sessionId: string | undefined): void {
    if (sessionId === undefined) return;
    const key = hash(sessionId);
    const wasSignedIn = this.#sessions.get(key)?.userId !== undefined;
    this.#sessions.delete(key);
    if (wasSignedIn) this.#save(); // Or whoever sends made-up ids would have the file written each time.
  }

  #add(userId: string | undefined, lifeMs: number) {
    this.#makeRoom();
    const sessionId = randomBytes(32).toString('base64url');
    const session = newSession(userId, Date.now() + lifeMs);
    this.#sessions.set(hash(sessionId), session);
    return { sessionId, session };
  }

  /** Drops what has expired, and the oldest beyond the cap. */
  #makeRoom(): void {
    for (const [key, session] of this.#sessions) {
      if (session.expiresAtMs <= Date.now() || this.#sessions.size >= MAX_SESSIONS) this.#sessions.delete(key);
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
});

/**
 * Whether the form of a launch can still be served. Then its attempt can be used again in place of a new one; later
 * nobody here knows whether its token has been spent.
 */
export const isUnserved = ({ token, expiresAt }: Launch): boolean =>
  token !== undefined && Date.parse(expiresAt) > Date.now();

/** An attempt of this session for the same choice whose form has not been served. */
export function findUnservedAttempt(
  session: Session,
  choice: Pick<ConnectAttempt, 'provider' | 'reconnectConnectionId' | 'capabilities'>,
): ConnectAttempt | undefined {
  const key = (one: typeof choice) =>
    JSON.stringify([one.provider, one.reconnectConnectionId, [...one.capabilities].sort()]);
  return [...session.attempts.values()].find(({ launch, ...one }) => isUnserved(launch) && key(one) === key(choice));
}

/** Remembers an attempt in the session that asked for it, in place of the oldest when there are too many. */
export function addAttempt(session: Session, attempt: ConnectAttempt): void {
  for (const id of session.attempts.keys()) {
    if (session.attempts.size < MAX_ATTEMPTS) break;
    session.attempts.delete(id);
  }
  session.attempts.set(attempt.id, attempt);
}

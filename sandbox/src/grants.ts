import { randomBytes } from 'node:crypto';
import type { SandboxClock } from './clock.ts';
import type { Code, SandboxAccount, SandboxClient, SandboxGrant, Token } from './model.ts';

/** The state that survives a restart. */
export interface GrantsState {
  readonly grants: readonly SandboxGrant[];
  readonly tokens: readonly Token[];
  readonly codes: readonly Code[];
}

/** The details of the authorization request that a code is bound to. */
export type CodeDetails = Omit<Code, 'value' | 'grantId' | 'expiresAt' | 'isSpent'>;

/** Consents, codes and tokens of all platforms. A token is live while it and its grant are. */
export class Grants {
  readonly #clock: SandboxClock;
  #grants = new Map<string, SandboxGrant>();
  #tokens = new Map<string, Token>();
  #codes = new Map<string, Code>();

  constructor(clock: SandboxClock) {
    this.#clock = clock;
  }

  restore(state: GrantsState): void {
    this.#grants = new Map(state.grants.map((grant) => [grant.id, grant]));
    this.#tokens = new Map(state.tokens.map((token) => [token.value, token]));
    this.#codes = new Map(state.codes.map((code) => [code.value, code]));
  }

  snapshot(): GrantsState {
    return { grants: [...this.#grants.values()], tokens: [...this.#tokens.values()], codes: [...this.#codes.values()] };
  }

  open(client: SandboxClient, account: SandboxAccount, permissions: readonly string[]): SandboxGrant {
    const grant: SandboxGrant = {
      id: randomBytes(9).toString('base64url'),
      platform: client.platform,
      clientId: client.clientId,
      accountId: account.id,
      principal: account.principal,
      grantedAt: this.#clock.now(),
      permissions,
      endedAt: null,
    };
    this.#grants.set(grant.id, grant);
    return grant;
  }

  list(): readonly SandboxGrant[] {
    return [...this.#grants.values()];
  }

  /** Lists the live grants that match. */
  live(fits: (grant: SandboxGrant) => boolean): readonly SandboxGrant[] {
    return this.list().filter((grant) => grant.endedAt === null && fits(grant));
  }

  /** Ends every live grant that matches, and with it all its tokens. */
  end(fits: (grant: SandboxGrant) => boolean): readonly SandboxGrant[] {
    const ending = this.live(fits);
    for (const grant of ending) grant.endedAt = this.#clock.now();
    return ending;
  }

  issueCode(grant: SandboxGrant, prefix: string, lifeSeconds: number, details: CodeDetails): Code {
    const code: Code = {
      ...details,
      value: `${prefix}${randomBytes(30).toString('base64url')}`,
      grantId: grant.id,
      expiresAt: this.#clock.now() + lifeSeconds * 1000,
      isSpent: false,
    };
    this.#codes.set(code.value, code);
    return code;
  }

  /** Spends a code. @returns undefined unless it was unspent, unexpired, this client's, and its grant is alive */
  takeCode(value: string, clientId: string): { code: Code; grant: SandboxGrant } | undefined {
    const code = this.#codes.get(value);
    const grant = code && this.#grants.get(code.grantId);
    if (code === undefined || grant === undefined || code.isSpent || grant.clientId !== clientId) return undefined;
    code.isSpent = true;
    return code.expiresAt > this.#clock.now() && grant.endedAt === null ? { code, grant } : undefined;
  }

  /** With `lifeSeconds` null the token does not expire. */
  issueToken(grant: SandboxGrant, kind: Token['kind'], prefix: string, lifeSeconds: number | null): Token {
    const issuedAt = this.#clock.now();
    const token: Token = {
      value: `${prefix}${randomBytes(36).toString('base64url')}`,
      kind,
      grantId: grant.id,
      issuedAt,
      expiresAt: lifeSeconds === null ? null : issuedAt + lifeSeconds * 1000,
      isSpent: false,
    };
    this.#tokens.set(token.value, token);
    return token;
  }

  tokensOf(grant: SandboxGrant): readonly Token[] {
    return [...this.#tokens.values()].filter((token) => token.grantId === grant.id);
  }

  isLive(token: Token): boolean {
    const inTime = token.expiresAt === null || token.expiresAt > this.#clock.now();
    return inTime && !token.isSpent && this.#grants.get(token.grantId)?.endedAt === null;
  }

  /** Finds any issued token, live or not, with its grant. */
  find(value: string): { token: Token; grant: SandboxGrant } | undefined {
    const token = this.#tokens.get(value);
    const grant = token && this.#grants.get(token.grantId);
    return token && grant && { token, grant };
  }

  findLive(
    value: string | null,
    ...kinds: readonly Token['kind'][]
  ): { token: Token; grant: SandboxGrant } | undefined {
    const found = value === null ? undefined : this.find(value);
    return found && kinds.includes(found.token.kind) && this.isLive(found.token) ? found : undefined;
  }

  /** Finds the grant of a token or code, live or not. */
  grantBehind(value: string): SandboxGrant | undefined {
    const code = this.#codes.get(value);
    return this.find(value)?.grant ?? (code && this.#grants.get(code.grantId));
  }

  /** Deletes codes and tokens that expired over a day ago. */
  prune(): void {
    const limit = this.#clock.now() - 86_400_000;
    for (const [value, code] of this.#codes) if (code.expiresAt < limit) this.#codes.delete(value);
    for (const [value, token] of this.#tokens) {
      if (token.expiresAt !== null && token.expiresAt < limit) this.#tokens.delete(value);
    }
  }
}

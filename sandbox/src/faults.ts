import type { SandboxProvider } from './model.ts';

/** A fault to inject into calls. `times` counts down; null means forever. The first `skip` calls pass unharmed. */
export interface InjectedFault {
  readonly id: number;
  readonly provider: SandboxProvider;
  /** The route's name in the call log. Null for all routes. */
  readonly route: string | null;
  /** An account's id. Null for all accounts. */
  readonly account: string | null;
  readonly what: FaultKind;
  times: number | null;
  skip: number;
}

export type FaultKind =
  /** The platform's own error for this HTTP status: 429, 500, 503 … */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number | undefined }
  /** The platform's own error for an exhausted quota. */
  | { readonly kind: 'quota' }
  /** Exactly this answer. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>> | undefined;
    }
  /** Never answers. */
  | { readonly kind: 'hang' }
  /** The right answer, but late. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** The right answer, a byte at a time. */
  | { readonly kind: 'trickle'; readonly intervalMs: number }
  /** Half of the right answer, then the connection is reset. */
  | { readonly kind: 'resetMidBody' }
  /** The request takes effect, then the connection is reset without an answer. */
  | { readonly kind: 'answerLost' }
  /** JSON that ends too soon. */
  | { readonly kind: 'malformedJson' }
  /** The right body with content type text/html. */
  | { readonly kind: 'wrongContentType' }
  /** IDP only: an invalid answer. */
  | { readonly kind: 'idp'; readonly lie: IdpLie };

export const IDP_LIES = [
  'wrongNonce',
  'wrongAudience',
  'wrongIssuer',
  'expired',
  'unknownKey',
  'algNone',
  'userinfoSubject',
  'emailUnverified',
  'claimsMissing',
  'issMissing',
] as const;
export type IdpLie = (typeof IDP_LIES)[number];

/** The active faults. */
export class Faults {
  #faults: InjectedFault[] = [];
  #nextId = 1;

  add(fault: Omit<InjectedFault, 'id'>): InjectedFault {
    const added = { ...fault, id: this.#nextId++ };
    this.#faults.push(added);
    return added;
  }

  list(): readonly InjectedFault[] {
    return this.#faults;
  }

  remove(id: number): boolean {
    const before = this.#faults.length;
    this.#faults = this.#faults.filter((fault) => fault.id !== id);
    return this.#faults.length < before;
  }

  clear(): void {
    this.#faults = [];
  }

  /** Takes the oldest fault that matches this call and counts it down. For lies of the IDP see `takeLies`. */
  take(provider: SandboxProvider, route: string, account: string | null): FaultKind | null {
    const fits = (fault: InjectedFault) => fault.what.kind !== 'idp' && isMeant(fault, provider, route, account);
    for (const fault of this.#faults.filter(fits)) {
      if (fault.skip > 0) {
        fault.skip -= 1;
        continue;
      }
      this.#countDown(fault);
      return fault.what;
    }
    return null;
  }

  /** Takes every lie that applies to this answer. */
  takeLies(route: string, lies: readonly IdpLie[]): readonly IdpLie[] {
    const taken: IdpLie[] = [];
    for (const fault of [...this.#faults]) {
      if (fault.what.kind !== 'idp' || !lies.includes(fault.what.lie) || !isMeant(fault, 'IDP', route, null)) continue;
      this.#countDown(fault);
      taken.push(fault.what.lie);
    }
    return taken;
  }

  #countDown(fault: InjectedFault): void {
    if (fault.times === null) return;
    fault.times -= 1;
    if (fault.times <= 0) this.remove(fault.id);
  }
}

const isMeant = (fault: InjectedFault, provider: SandboxProvider, route: string, account: string | null): boolean =>
  fault.provider === provider &&
  (fault.route === null || fault.route === route) &&
  (fault.account === null || fault.account === account);

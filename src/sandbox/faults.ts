import type { SandboxProvider } from './model.ts';

/** What can go wrong with a call. `times` counts it down; null means for ever. `skip` calls pass unharmed before. */
export interface InjectedFault {
  readonly id: number;
  readonly provider: SandboxProvider;
  /** The route's name as the call log has it; null for all of them. */
  readonly route: string | null;
  /** An account's id; null for all of them. */
  readonly account: string | null;
  readonly what: FaultKind;
  times: number | null;
  skip: number;
}

export type FaultKind =
  /** The platform's own words for this HTTP status: 429, 500, 503 … */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number | undefined }
  /** The platform's words for a quota used up. */
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
  /** Answers as always, but late. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** The right answer, a byte at a time. */
  | { readonly kind: 'trickle'; readonly intervalMs: number }
  /** Half of the right answer, then the connection is reset. */
  | { readonly kind: 'resetMidBody' }
  /** The effect takes place, then the connection is reset without an answer. */
  | { readonly kind: 'answerLost' }
  /** JSON that ends too soon. */
  | { readonly kind: 'malformedJson' }
  /** The right body called text/html. */
  | { readonly kind: 'wrongContentType' }
  /** IDP only: how its answers lie. */
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

/** The faults that are switched on. */
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

  /** The oldest fault that fits this call, counted down; lies of the IDP are taken by `takeLies`. */
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

  /** Every lie that is told about this answer. */
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

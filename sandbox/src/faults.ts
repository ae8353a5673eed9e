import { z } from 'zod';
import { SANDBOX_PROVIDERS, type SandboxProvider } from './model.ts';

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

const FaultKind = z.discriminatedUnion('kind', [
  /** The platform's own error for this HTTP status: 429, 500, 503 … */
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    retryAfterSeconds: z.int().min(0).optional(),
  }),
  /** The platform's own error for an exhausted quota. */
  z.strictObject({ kind: z.literal('quota') }),
  /** Exactly this answer. */
  z.strictObject({
    kind: z.literal('answer'),
    status: z.int().min(200).max(599),
    body: z.unknown(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  /** Never answers. */
  z.strictObject({ kind: z.literal('hang') }),
  /** The right answer, but late. */
  z.strictObject({ kind: z.literal('slow'), delayMs: z.int().min(0) }),
  /** The right answer, a byte at a time. */
  z.strictObject({ kind: z.literal('trickle'), intervalMs: z.int().min(1) }),
  /** Half of the right answer, then the connection is reset. */
  z.strictObject({ kind: z.literal('resetMidBody') }),
  /** The request takes effect, then the connection is reset without an answer. */
  z.strictObject({ kind: z.literal('answerLost') }),
  /** JSON that ends too soon. */
  z.strictObject({ kind: z.literal('malformedJson') }),
  /** The right body with content type text/html. */
  z.strictObject({ kind: z.literal('wrongContentType') }),
  /** IDP only: an invalid answer. */
  z.strictObject({ kind: z.literal('idp'), lie: z.enum(IDP_LIES) }),
]);
export type FaultKind = z.infer<typeof FaultKind>;

export const FaultBody = z.strictObject({
  provider: z.enum(SANDBOX_PROVIDERS),
  route: z.string().optional(),
  account: z.string().optional(),
  what: FaultKind,
  /** How many calls it affects: once by default, null for all. */
  times: z.int().min(1).nullable().optional(),
  /** How many matching calls pass before the fault starts. */
  skip: z.int().min(0).optional(),
});
export type FaultInput = z.input<typeof FaultBody>;

/** The active faults. */
export class Faults {
  #faults: InjectedFault[] = [];
  #nextId = 1;
  readonly #routes = new Map<SandboxProvider, Set<string>>();

  /** Makes a route known, so that a fault may name it. */
  addRoute(provider: SandboxProvider, route: string): void {
    this.#routes.set(provider, (this.#routes.get(provider) ?? new Set()).add(route));
  }

  routesOf(provider: SandboxProvider): readonly string[] {
    return [...(this.#routes.get(provider) ?? [])];
  }

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

import type { SandboxProvider } from './model.ts';

/** One request as the sandbox received it. */
export interface LoggedCall {
  readonly number: number;
  /** Milliseconds since the epoch, by the sandbox's clock. */
  readonly at: number;
  readonly provider: SandboxProvider;
  readonly route: string;
  readonly method: string;
  readonly path: string;
  /** Query and body. Codes, tokens and secrets appear as "(given)". */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly account: string | null;
  /** Null if the sandbox sent no answer. */
  readonly status: number | null;
  /** The kind of fault injected into this call, if any. */
  readonly fault: string | null;
  /** Parts of the request that the real platform does not know or would refuse. */
  readonly violations: readonly string[];
}

const LIMIT = 5000;
const SENSITIVE = /secret|token|^code$|verifier|^state$|nonce/;

/** The last calls to all providers, oldest first. */
export class Calls {
  #calls: LoggedCall[] = [];
  #nextNumber = 1;

  add(call: Omit<LoggedCall, 'number'>): void {
    this.#calls.push({ ...call, number: this.#nextNumber++, parameters: withoutSecrets(call.parameters) });
    if (this.#calls.length > LIMIT) this.#calls.splice(0, this.#calls.length - LIMIT);
  }

  list(filter: { provider?: string | undefined; route?: string | undefined; account?: string | undefined } = {}) {
    return this.#calls.filter(
      (call) =>
        (filter.provider === undefined || call.provider === filter.provider) &&
        (filter.route === undefined || call.route === filter.route) &&
        (filter.account === undefined || call.account === filter.account),
    );
  }

  clear(): void {
    this.#calls = [];
  }
}

function withoutSecrets(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = Object.entries(parameters).map(([name, value]) => [name, SENSITIVE.test(name) ? '(given)' : value]);
  return Object.fromEntries(shown);
}

// For tests: starts the service with its sandbox, and acts as people and as platforms do. Needs Node.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { SocialProvider as Provider } from './generated/schema.js';

/** The addresses of a running stack, as its command prints them. */
export interface SandboxStack {
  readonly graphqlUrl: string;
  readonly adminUrl: string;
  readonly adminToken: string;
  readonly connectUrl: string;
  readonly sandboxUrl: string;
  /** An app that may do everything, and its key. */
  readonly app: {
    readonly id: string;
    readonly key: string;
    readonly tenantKey: string;
    readonly returnUrl: string;
    /** If the stack was started with a `webhookUrl`. The secret is for `verifyWebhook`. */
    readonly webhook?: { readonly endpointId: string; readonly url: string; readonly secret: string };
  };
}

export interface StartSandboxOptions {
  /** The command that starts the stack, such as `['node_modules/.bin/social-account-connection-sandbox']`. */
  readonly command: readonly [string, ...string[]];
  /** Your application's return URL. It need not be served to connect accounts with `Sandbox.connect`. */
  readonly returnUrl: string;
  /** Where your application takes webhooks. Without it, the service sends none. */
  readonly webhookUrl?: string;
  /** Milliseconds after which the start fails. 120,000 by default: a first start downloads programs. */
  readonly timeoutMs?: number;
}

/** A fault of a platform; the sandbox's documentation lists the kinds and routes. */
export interface SandboxFault {
  readonly provider: Provider | 'IDP';
  readonly what: { readonly kind: string } & Readonly<Record<string, unknown>>;
  readonly route?: string;
  readonly account?: string;
  /** How many calls it hits: once by default, all with null. */
  readonly times?: number | null;
  readonly skip?: number;
}

/** An account at a simulated platform. */
export interface SandboxAccount {
  readonly id: string;
  readonly platform: Provider;
  readonly name: string;
  readonly handle: string;
  /** Its use in a test. */
  readonly note: string;
}

/** A decision on a consent page. */
export interface ConsentDecision {
  /** The account's id. */
  readonly account: string;
  /** Denies access. */
  readonly deny?: boolean;
  /** Leaves out permissions that contain one of these texts, as a person who unticks them. */
  readonly without?: readonly string[];
}

/** The process of a stack that `startSandbox` started. */
interface StackProcess {
  readonly exitCode: number | null;
  readonly signalCode: string | null;
  kill(signal: 'SIGTERM'): boolean;
  once(event: 'exit', listener: () => void): unknown;
}

/** Starts the whole service with its sandbox. @throws Error if it does not get ready */
export async function startSandbox(options: StartSandboxOptions): Promise<Sandbox> {
  const [program, ...args] = options.command;
  const addresses = ['--return-url', options.returnUrl];
  if (options.webhookUrl !== undefined) addresses.push('--webhook-url', options.webhookUrl);
  const child = spawn(program, [...args, ...addresses], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lastLines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLines.push(line);
    if (lastLines.length > 20) lastLines.shift();
  });
  const stack = await new Promise<SandboxStack>((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      child.kill('SIGTERM');
      reject(new Error(`The sandbox did not start: ${reason}\n${lastLines.join('\n')}`));
    };
    const timer = setTimeout(() => fail('it took too long.'), options.timeoutMs ?? 120_000);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`it ended with code ${code}.`));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve(JSON.parse(line) as SandboxStack);
    });
  });
  return new Sandbox(stack, child);
}

/** Acts as people and as platforms do, against a running stack. */
export class Sandbox {
  readonly stack: SandboxStack;
  readonly #child: StackProcess | undefined;

  /** @param stack the addresses of a stack that runs already, such as the content of `.local/stack.json` */
  constructor(stack: SandboxStack, child?: StackProcess) {
    this.stack = stack;
    this.#child = child;
  }

  /** Stops the stack, if `startSandbox` started it, and waits until it has ended. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    await ended;
  }

  /** The accounts that people can connect. */
  async listAccounts(provider?: Provider): Promise<readonly SandboxAccount[]> {
    const accounts = (await this.control('GET', 'accounts')) as readonly SandboxAccount[];
    return provider === undefined ? accounts : accounts.filter((account) => account.platform === provider);
  }

  /**
   * Acts as a person in a browser after your page: posts the launch form, decides on the consent page, and follows the
   * redirects to your return URL, which it does not request.
   * @returns the return URL with `ss_session_id`
   */
  async connect(
    launch: { readonly launchUrl: string; readonly launchToken: string },
    decision: ConsentDecision,
  ): Promise<URL> {
    const { launchUrl, launchToken } = launch;
    const { returnUrl } = this.stack.app;
    const answer = await this.control('POST', 'connect', { launchUrl, launchToken, returnUrl, ...decision });
    return new URL((answer as { url: string }).url);
  }

  /** Adds a fault. @returns a function that removes it, if it has not ended */
  async addFault(fault: SandboxFault): Promise<() => Promise<void>> {
    const { id } = (await this.control('POST', 'faults', fault)) as { id: number };
    return async () => {
      const faults = (await this.control('GET', 'faults')) as readonly { readonly id: number }[];
      if (faults.some((one) => one.id === id)) await this.control('DELETE', `faults/${id}`);
    };
  }

  /** The person removes the app in the account's settings at the platform. */
  async removeApp(account: string): Promise<void> {
    await this.control('POST', 'remove-app', { account });
  }

  /** Any request of the sandbox's control API. @throws Error with its answer if it refuses */
  async control(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.stack.sandboxUrl}/control/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The sandbox refused ${method} ${path}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}

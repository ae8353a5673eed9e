import { execFile } from 'node:child_process';
import path from 'node:path';
import { buildHttpUrl } from '../../local/src/ports.ts';
import { ROOT } from '../../local/src/services.ts';
import type { StackSettings } from '../../local/src/settings.ts';
import { IDP_CLIENT, KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import { getPublicName } from '../../sandbox/src/model.ts';
import { CAPABILITIES, PROVIDER_NAMES } from '../../src/basics/codes.ts';
import type { Options } from '../../src/cli/shape.ts';
import { createParts, performCommand } from './commands.ts';
import type { Database } from './postgres.ts';

/** An app with every capability at every provider, as an operator creates it. */
export interface TestApp {
  readonly appId: string;
  readonly key: string;
  readonly tenantKey: string;
  readonly returnUrl: string;
  readonly identityReturnUrl: string;
}

/** The output of a command, as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: each command prints another object.
type Printed = any;

/** An operator at the command line. */
export class CommandLine {
  readonly name = 'the command line';
  readonly #settings: StackSettings;
  readonly #sql: Database;
  readonly #isTyped: boolean;
  /** All output of typed commands except the requested values, such as a new key. */
  log = '';

  /** @param options.isTyped true runs each command as a process of the built program, false in this process. */
  constructor(settings: StackSettings, sql: Database, { isTyped }: { isTyped: boolean }) {
    this.#settings = settings;
    this.#sql = sql;
    this.#isTyped = isTyped;
  }

  /** @param input a secret, if the command reads one. @returns its output. @throws with its message. */
  async run(command: string, options: Options, input = ''): Promise<Printed> {
    return await (this.#isTyped ? this.#type(command, options, input) : this.#perform(command, options, input));
  }

  async #type(command: string, options: Options, input: string): Promise<Printed> {
    const { databaseUrl, keys, ports } = this.#settings;
    const env = {
      PATH: process.env.PATH ?? '',
      DEPLOYMENT: 'development',
      DATABASE_URL: databaseUrl,
      CONNECT_URL: buildHttpUrl(ports.api),
      VAULT_INBOX_PUBLIC_KEYS: keys.VAULT_INBOX_PUBLIC_KEYS,
      VAULT_EDGE_KEYS: keys.VAULT_EDGE_KEYS,
      VAULT_MAC_KEYS: keys.VAULT_MAC_KEYS,
    };
    const args = Object.entries(options).flatMap(([name, value]) =>
      [value].flat().flatMap((one) => [`--${name}`, String(one)]),
    );
    const program = [path.join(ROOT, 'dist', 'main.js'), ...command.split(' '), ...args, '--json'];
    return await new Promise((resolve, reject) => {
      const child = execFile(process.execPath, program, { env }, (error, stdout, stderr) => {
        this.log += stderr;
        if (error) reject(new Error(`"${command}" failed: ${stderr || stdout}`));
        else resolve(JSON.parse(stdout));
      });
      child.stdin?.end(`${input}\n`);
    });
  }

  async #perform(command: string, options: Options, input: string): Promise<Printed> {
    const { keys, ports } = this.#settings;
    const parts = await createParts(this.#sql, keys, buildHttpUrl(ports.api));
    return (await performCommand(parts, command, options, input)).printed;
  }

  /** Creates an app with everything it needs to connect accounts and to sign people in. */
  async createApp(app: Omit<TestApp, 'appId' | 'key'>): Promise<TestApp> {
    const { id: appId } = await this.run('app create', { name: 'Harbour Kitchen' });
    const [{ secret: key }] = await Promise.all([
      this.run('key issue', { app: appId }),
      this.run('tenant add', { app: appId, key: app.tenantKey }),
      this.run('return-url add', { app: appId, url: app.returnUrl }),
      this.#allowSignIn(appId, app.identityReturnUrl),
      ...PROVIDER_NAMES.map((provider) => this.#allowProvider(appId, provider)),
    ]);
    return { ...app, appId, key };
  }

  async #allowSignIn(app: string, returnUrl: string): Promise<void> {
    const { clientId, clientSecret } = IDP_CLIENT;
    const client = {
      issuer: `${buildHttpUrl(this.#settings.ports.sandbox)}/idp`,
      'client-id': clientId,
      auth: 'CLIENT_SECRET_POST',
    };
    const { id: issuer } = await this.run('issuer create', client, clientSecret);
    await this.run('identity set', { app, issuer, 'return-url': returnUrl });
  }

  async #allowProvider(app: string, provider: (typeof PROVIDER_NAMES)[number]): Promise<void> {
    const { clientId, clientSecret } = KNOWN_CLIENTS[provider];
    const registration = { provider, label: `Sandbox ${getPublicName(provider)}`, 'client-id': clientId };
    const [{ id: registrationId }] = await Promise.all([
      this.run('registration create', registration, clientSecret),
      this.run('policy set', { app, provider, capability: CAPABILITIES }),
    ]);
    await this.run('registration serve', { registration: registrationId, app });
  }
}

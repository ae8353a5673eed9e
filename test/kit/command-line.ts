import { buildHttpUrl } from '../../local/src/ports.ts';
import type { StackSettings } from '../../local/src/settings.ts';
import { IDP_CLIENT, KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import { getPublicName } from '../../sandbox/src/model.ts';
import { CAPABILITIES, PROVIDER_NAMES } from '../../src/basics/codes.ts';
import type { Options } from '../../src/cli/shape.ts';
import { createParts, performCommand } from './commands.ts';
import type { Database } from './postgres.ts';

/** The output of a command, as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: each command prints another object.
type Printed = any;

/** An operator at the command line. */
export class CommandLine {
  readonly #settings: StackSettings;
  readonly #sql: Database;

  constructor(settings: StackSettings, sql: Database) {
    this.#settings = settings;
    this.#sql = sql;
  }

  /** Runs a command in this process. @param input a secret, if the command reads one. @returns its output. @throws with its message. */
  async run(command: string, options: Options, input = ''): Promise<Printed> {
    const { keys, ports } = this.#settings;
    const parts = await createParts(this.#sql, keys, buildHttpUrl(ports.api));
    return (await performCommand(parts, command, options, input)).printed;
  }

  /** Creates an app with every capability at every provider, and all it needs to sign people in. */
  async createApp(app: { tenantKey: string; returnUrl: string; identityReturnUrl: string }) {
    const { id: appId } = await this.run('app create', { name: 'Harbour Kitchen' });
    const [{ secret: key }] = await Promise.all([
      this.run('key issue', { app: appId }),
      this.run('tenant add', { app: appId, tenant: app.tenantKey }),
      this.run('return-url add', { app: appId, url: app.returnUrl }),
      this.#allowSignIn(appId, app.identityReturnUrl),
      ...PROVIDER_NAMES.map((provider) => this.#allowProvider(appId, provider)),
    ]);
    return { ...app, appId: String(appId), key: String(key) };
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

import { execFile } from 'node:child_process';
import path from 'node:path';
import { ROOT, type Settings } from '../../src/local/services.ts';
import { CAPABILITIES, PROVIDER_NAMES } from '../../src/providers/provider.ts';
import { KNOWN_CLIENTS } from '../../src/sandbox/clients.ts';

/** An app that may ask for everything everywhere, as an operator has made it. */
export interface TestApp {
  readonly appId: string;
  readonly key: string;
  readonly tenantKey: string;
  readonly returnUrl: string;
}

type Row = Readonly<Record<string, string>>;

/** An operator at the command line of the built program. */
export class CommandLine {
  readonly name = 'the command line';
  readonly #env: Record<string, string>;
  /** All it has printed but for what was asked for, such as a new key. */
  log = '';

  constructor({ databaseUrl, keys }: Settings, connectUrl: string) {
    this.#env = {
      PATH: process.env.PATH ?? '',
      DEPLOYMENT: 'development',
      DATABASE_URL: databaseUrl,
      CONNECT_URL: connectUrl,
      VAULT_INBOX_PUBLIC_KEYS: keys.VAULT_INBOX_PUBLIC_KEYS,
    };
  }

  /** Runs one command. @returns the row it prints. @throws with what it says when it fails. */
  async run(command: string, options: Readonly<Record<string, string | readonly string[]>>, input = ''): Promise<Row> {
    const args = Object.entries(options).flatMap(([name, value]) =>
      [value].flat().flatMap((one) => [`--${name}`, one]),
    );
    const program = [path.join(ROOT, 'dist', 'main.js'), ...command.split(' '), ...args, '--json'];
    return await new Promise((resolve, reject) => {
      const child = execFile(process.execPath, program, { env: this.#env }, (error, stdout, stderr) => {
        this.log += stderr;
        if (error) reject(new Error(`"${command}" failed: ${stderr || stdout}`));
        else resolve(JSON.parse(stdout) as Row);
      });
      child.stdin?.end(`${input}\n`);
    });
  }

  /** Makes an app with all it needs to connect accounts. */
  async createApp(app: Omit<TestApp, 'appId' | 'key'>): Promise<TestApp> {
    const { appId = '' } = await this.run('app create', { name: 'Harbour Kitchen' });
    const [{ key = '' }] = await Promise.all([
      this.run('key issue', { app: appId }),
      this.run('tenant add', { app: appId, key: app.tenantKey }),
      this.run('return-url add', { app: appId, url: app.returnUrl }),
      ...PROVIDER_NAMES.map((provider) => this.#allowProvider(appId, provider)),
    ]);
    return { ...app, appId, key };
  }

  async #allowProvider(app: string, provider: (typeof PROVIDER_NAMES)[number]): Promise<void> {
    const { clientId, clientSecret } = KNOWN_CLIENTS[provider];
    const registration = { provider, label: `Sandbox ${provider}`, 'client-id': clientId };
    const [{ registrationId = '' }] = await Promise.all([
      this.run('registration create', registration, clientSecret),
      this.run('policy set', { app, provider, capability: CAPABILITIES }),
    ]);
    await this.run('registration serve', { registration: registrationId, app });
  }
}

import { randomUUID } from 'node:crypto';
import { CAPABILITIES, type Capability, forEachProvider, type ProviderName } from '../../src/basics/codes.ts';
import { createCatalog } from '../../src/providers/catalog.ts';
import { Backend } from './backend.ts';
import { allow, Browser, type Page } from './browser.ts';
import { configFor } from './fake-platform.ts';
import { type Answer, ask, patiently, type RootField } from './graphql.ts';
import type { SubjectScope } from './seed.ts';
import type { TestService } from './service.ts';

const DAY_MS = 86_400_000;

/** The permissions on each platform's consent page. */
export const PERMISSIONS = forEachProvider((name) =>
  createCatalog(configFor('https://platform.example'))[name].permissionsFor(CAPABILITIES),
);

export interface SessionOptions {
  readonly capabilities?: readonly Capability[];
  readonly reconnectConnectionId?: string;
}

/** The last `days` days, up to now. */
export function lastDays(days: number) {
  const now = Date.now();
  return {
    publishedAfter: new Date(now - days * DAY_MS).toISOString(),
    publishedBefore: new Date(now).toISOString(),
  };
}

/** A person who uses the app: a scope, a browser, and the app's backend, which acts for them. */
export class Person extends Backend {
  readonly scope: SubjectScope;
  readonly browser: Browser;
  /** All browsers of the person. */
  readonly browsers: Browser[] = [];
  /** All launch tokens that the backend has received. */
  readonly launchTokens: string[] = [];
  /** All result proofs that the backend has stored. */
  readonly resultProofs: string[] = [];
  readonly #service: TestService;
  #asked = 0;

  constructor(service: TestService) {
    super();
    this.#service = service;
    this.scope = { tenantKey: service.app.tenantKey, externalSubjectId: `subject-${randomUUID()}` };
    this.browser = this.newBrowser();
  }

  /** @param stopAt the URL prefix at which it stops following redirects; by default the app's pages. */
  newBrowser(stopAt = new URL('/', this.#service.app.returnUrl).href): Browser {
    const browser = new Browser(stopAt);
    this.browsers.push(browser);
    return browser;
  }

  /** Sends a request of the app's backend in the person's scope, to the given api or to each in turn. @throws Refusal */
  async ask(field: RootField, variables: object = {}, { api = this.#nextApi() } = {}): Promise<Answer> {
    const url = `${this.#service.apiUrls[api]}/graphql`;
    return await patiently(() => ask(url, this.#service.app.key, field, { scope: this.scope, ...variables }));
  }

  /** Takes the running apis in turn, as a load balancer does. */
  #nextApi(): number {
    const running = this.#service.apis.flatMap((api, index) => (api.isRunning ? [index] : []));
    this.#asked += 1;
    return running[this.#asked % running.length] ?? 0;
  }

  /** Starts a sign-in. */
  async createSignIn(): Promise<Answer> {
    const { tenantKey, identityReturnUrl: returnUrl } = this.#service.app;
    const session = await this.ask('createIdpIdentitySession', { input: { tenantKey, returnUrl } });
    this.launchTokens.push(session.launchToken);
    this.resultProofs.push(session.resultProof);
    return session;
  }

  /** Waits for the result of a sign-in and redeems it. */
  async redeem({ id, resultProof }: Answer): Promise<Answer> {
    const { tenantKey } = this.#service.app;
    const redeem = () => this.ask('redeemIdpIdentityResult', { id, tenantKey, resultProof });
    return await this.until(`Sign-in ${id} should have a result`, redeem, ({ status }) => status !== 'PENDING');
  }

  async createSession(provider: ProviderName, options: SessionOptions = {}): Promise<Answer> {
    const { returnUrl } = this.#service.app;
    const input = { scope: this.scope, provider, capabilities: CAPABILITIES, returnUrl, ...options };
    const session = await this.ask('createConnectSession', { input });
    this.launchTokens.push(session.launchToken);
    return session;
  }

  /** Posts the launch form from a page of the app. @returns the platform's consent page, or the page where it ended. */
  async launch(session: Answer, browser = this.browser): Promise<Page> {
    return await browser.launch(session, this.#service.app.returnUrl);
  }

  /** Finds the account by its note on the consent page. */
  account(provider: ProviderName, note: RegExp): string {
    const account = this.#service.sandbox.control.accounts(provider).find((one) => note.test(one.note));
    if (account === undefined) throw new Error(`There is no account like ${note}.`);
    return account.id;
  }

  /** Grants permissions on the consent page. @returns the page that follows. */
  async agree(consent: Page, account: string, permissions: readonly string[]): Promise<Page> {
    return await this.browser.submit(consent, allow(account, permissions));
  }

  /** Lists the grants of an account that are live at its platform. */
  liveGrants(account: string): readonly unknown[] {
    const grants = this.#service.sandbox.control.grants();
    return grants.filter(({ accountId, endedAt }) => accountId === account && endedAt === null);
  }

  /** From the click to the outcome. @returns the attempt's result. */
  async connect(
    provider: ProviderName,
    account: string,
    { permissions = PERMISSIONS[provider], ...options }: SessionOptions & { permissions?: readonly string[] } = {},
  ): Promise<Answer> {
    const session = await this.createSession(provider, options);
    await this.agree(await this.launch(session), account, permissions);
    return await this.finished(session.id);
  }

  /** All stored posts of a window, page by page. */
  async posts(connectionId: string, window: ReturnType<typeof lastDays>, first = 50): Promise<Answer[]> {
    const items: Answer[] = [];
    let after: string | null = null;
    do {
      const page: Answer = await this.ask('content', { connectionId, window: { ...window, first, after } });
      items.push(...page.items);
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    return items;
  }
}

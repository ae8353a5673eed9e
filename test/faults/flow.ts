import { setTimeout as delay } from 'node:timers/promises';
import type { Platform } from '../../sandbox/src/model.ts';
import { Random } from '../../sandbox/src/random.ts';
import type { BrowserStep, Window } from '../history/history.ts';
import { allow, Browser, type Page } from '../kit/browser.ts';
import type { Answer } from '../kit/graphql.ts';
import { lastDays, PERMISSIONS } from '../kit/person.ts';
import { Caller, type Outcome } from './caller.ts';
import type { Stage } from './stage.ts';

const UNFINISHED = ['CREATED', 'AUTHORIZING', 'EXCHANGING'];
const OPEN = ['QUEUED', 'RUNNING'];
const CAPABILITIES = ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'];
const POLL_MS = 200;
/** How long a person waits for one end. */
const PATIENCE_MS = 25_000;
/** How often a person reloads a page that does not load. */
const RELOADS = 40;

interface Connection {
  readonly id: string;
  readonly provider: Platform;
  readonly account: string;
}

/** One person, her browser and the app's backend: random steps by the seed, all recorded. */
export class Flow {
  readonly name: string;
  readonly #stage: Stage;
  readonly #random: Random;
  readonly #caller: Caller;
  readonly #scope: { readonly tenantKey: string; readonly externalSubjectId: string };
  /** Those that it has not disconnected. */
  readonly #connections: Connection[] = [];
  readonly #left: string[] = [];
  /** Attempts and jobs to read again at the end. */
  readonly #attempts: string[] = [];
  readonly #jobs: { readonly connectionId: string; readonly id: string }[] = [];
  #isErased = false;
  #erasure: string | undefined;

  constructor(stage: Stage, number: number, seed: string) {
    this.name = `flow-${number}`;
    this.#stage = stage;
    this.#random = new Random(`${seed}/flow/${number}`);
    this.#caller = new Caller(stage.service.apiUrls, stage.service.app.key, stage.history, this.name);
    const word = new Random(`${seed}/subject/${number}`).text(16);
    this.#scope = { tenantKey: stage.service.app.tenantKey, externalSubjectId: `subject-${word}` };
  }

  get #control() {
    return this.#stage.service.sandbox.control;
  }

  get subject(): string {
    return this.#scope.externalSubjectId;
  }

  /** Takes random steps. Resolves when the person has had enough, or when the run heals. */
  async live(): Promise<void> {
    const steps = this.#random.int(3, 8);
    await this.#connect();
    for (let step = 0; step < steps && !this.#stage.isHealing; step += 1) await this.#step();
    if (this.#random.next() < 0.6) await this.#leave();
  }

  /** Reads everything again, after the run has settled, and scans the remaining connections. */
  async conclude(): Promise<void> {
    for (const id of this.#attempts) await this.#ask('connectSessionResult', { id });
    for (const { connectionId, id } of this.#jobs) await this.#ask('syncJob', { connectionId, id });
    const all = await this.#ask('connections', { first: 100 });
    for (const { id, status } of (all && 'value' in all && all.value.items) || []) {
      const connection = this.#connections.find((one) => one.id === id);
      if (status === 'CONNECTED' && connection !== undefined) await this.#scanAndRead(connection, 85, 100);
    }
    for (const id of this.#left) await this.#ask('connection', { id });
    await this.#concludeErasure();
    await this.#ask('connections', { first: 100 });
  }

  async #step(): Promise<void> {
    const connection = this.#connections.at(this.#random.int(0, Math.max(0, this.#connections.length - 1)));
    // An erased person could come back. This one does not, so that any trace is a mistake.
    if (this.#isErased) return await this.#signIn();
    if (connection === undefined) return await (this.#random.next() < 0.5 ? this.#signIn() : this.#connect());
    const choice = this.#random.int(1, 100);
    if (choice <= 45) return await this.#scanAndRead(connection, this.#random.int(5, 85), this.#random.int(3, 40));
    if (choice <= 65) return this.#changePosts(connection);
    if (choice <= 74) {
      // Noted before it happens: the service may get it at once.
      this.#note('accessExpired', connection.account);
      return this.#control.expireTokens(connection.account, 'access');
    }
    if (choice <= 78) {
      // Noted before it happens, too.
      this.#note('appRemoved', connection.account);
      this.#control.removeApp(connection.account);
      return;
    }
    if (choice <= 84) return await this.#connect({ reconnect: connection });
    if (choice <= 88) return await this.#connect();
    if (choice <= 92) return await this.#signIn();
    if (choice <= 94) return await this.#stage.retryJobs();
    if (choice <= 97) return await this.#leave();
    await this.#erase(connection);
  }

  // Connect -----------------------------------------------------------------------------------------------------------

  async #connect({ reconnect }: { reconnect?: Connection } = {}): Promise<void> {
    const provider = reconnect?.provider ?? this.#random.pick(['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C']);
    const isOther = reconnect !== undefined && this.#random.next() < 0.15;
    const account = reconnect === undefined || isOther ? this.#stage.takeAccount(provider) : reconnect.account;
    const choice = this.#random.next();
    if (account === undefined) return;
    const created = await this.#ask('createConnectSession', {
      input: {
        scope: this.#scope,
        provider,
        capabilities: CAPABILITIES,
        returnUrl: this.#stage.service.app.returnUrl,
        ...(reconnect && { reconnectConnectionId: reconnect.id }),
      },
    });
    if (created === undefined || !('value' in created)) return;
    const { id, launchUrl, launchToken } = created.value;
    this.#attempts.push(id);
    if (choice < 0.04) return; // The person never comes.
    const browser = new Browser(this.#stage.service.app.returnUrl);
    const consent = await this.#launch(browser, id, launchUrl, launchToken);
    if (consent === undefined || choice < 0.08) return; // Or closes the page of the platform.
    const isDenied = choice < 0.14;
    const permissions = choice < 0.2 ? PERMISSIONS[provider].slice(0, 2) : PERMISSIONS[provider];
    await this.#answer(browser, id, consent, isDenied ? null : { account, permissions });
    const end = await this.#poll('connectSessionResult', { id }, ({ status }) => !UNFINISHED.includes(status));
    if (end?.status !== 'COMPLETED' || reconnect?.id === end.connectionId) return;
    this.#connections.push({ id: end.connectionId, provider, account });
  }

  async #signIn(): Promise<void> {
    const { tenantKey, identityReturnUrl: returnUrl } = this.#stage.service.app;
    const created = await this.#ask('createIdpIdentitySession', { input: { tenantKey, returnUrl } });
    if (created === undefined || !('value' in created)) return;
    const { id, launchUrl, launchToken, resultProof } = created.value;
    const browser = new Browser(returnUrl);
    const people = this.#control.people();
    const account = people[this.#random.int(0, people.length - 1)]?.sub ?? '';
    const consent = await this.#launch(browser, id, launchUrl, launchToken);
    if (consent !== undefined) await this.#answer(browser, id, consent, { account, permissions: ['email', 'profile'] });
    const redeem = () =>
      this.#poll('redeemIdpIdentityResult', { id, tenantKey, resultProof }, ({ status }) => status !== 'PENDING');
    this.#stage.addSignIn(async () => void (await redeem()));
    if (this.#random.next() < 0.8) await redeem();
  }

  /** Posts the launch form, again if nothing came back. @returns the platform's page with its form */
  async #launch(browser: Browser, session: string, url: string, token: string): Promise<Page | undefined> {
    const from = this.#stage.service.app.returnUrl;
    const page = await this.#reload(browser, () => browser.post(url, [['launchToken', token]], from), url);
    const isForm = page !== undefined && /<form/.test(page.html) && !page.url.startsWith(url);
    this.#see(session, isForm ? 'launched' : 'stuck');
    return isForm ? page : undefined;
  }

  /** Answers the platform's page and follows the browser back to the app, reloading pages that do not load. */
  async #answer(
    browser: Browser,
    session: string,
    consent: Page,
    answer: { account: string; permissions: readonly string[] } | null,
  ): Promise<void> {
    // Noted before it happens: an answer that is lost on its way back may have been given.
    if (answer === null) this.#see(session, 'denied');
    else this.#see(session, 'allowed', answer.account);
    const fields = answer === null ? [['decision', 'deny'] as const] : allow(answer.account, answer.permissions);
    const page = await this.#reload(browser, () => browser.submit(consent, fields), consent.url);
    this.#see(session, page?.url.includes('ss_session_id') ? 'returned' : 'stuck');
  }

  /** @returns the last page of a person who reloads every page that does not load or that asks to try again */
  async #reload(browser: Browser, go: () => Promise<Page>, first: string): Promise<Page | undefined> {
    let next = go;
    for (let tries = 0; tries < RELOADS; tries += 1) {
      const page = await next().catch(() => undefined);
      if (page !== undefined && page.status < 500) return page;
      const at = browser.visited.at(-1) ?? first;
      // A form that was posted is posted again; a redirect that failed is loaded again.
      next = at.split('?')[0] === first.split('?')[0] || at.endsWith('/consent') ? go : () => browser.open(at);
      await delay(PAUSE_AFTER_FAILURE_MS);
    }
    return undefined;
  }

  // Read --------------------------------------------------------------------------------------------------------------

  async #scanAndRead(connection: Connection, days: number, maxItems: number): Promise<void> {
    const window = lastDays(days, this.#stage.now());
    let job = await this.#scan(connection, { window: { ...window, maxItems } });
    // A page is called incomplete at random times during a scan; only the one after its end is judged.
    while (job?.status === 'SUCCEEDED' && job.continuationCursor !== null) {
      job = await this.#scan(connection, { continuationCursor: job.continuationCursor });
    }
    if (job?.status === 'SUCCEEDED' || this.#random.next() < 0.3) await this.#read(connection, window);
  }

  /** Asks for a scan and reads it to its end. */
  async #scan({ id: connectionId }: Connection, variables: object): Promise<Answer | undefined> {
    const asked = await this.#ask('requestRefresh', { connectionId, ...variables });
    if (asked === undefined || !('value' in asked)) return undefined;
    const { id } = asked.value;
    this.#jobs.push({ connectionId, id });
    return await this.#poll('syncJob', { connectionId, id }, ({ status }) => !OPEN.includes(status));
  }

  async #read({ id: connectionId, account }: Connection, window: Window): Promise<void> {
    const { history } = this.#stage;
    const from = history.entries.length;
    const items: Answer[] = [];
    let isComplete = true;
    let after: string | null = null;
    do {
      const page: Outcome = await this.#ask('content', { connectionId, window: { ...window, first: 17, after } });
      if (page === undefined || !('value' in page)) return;
      items.push(...page.value.items);
      isComplete &&= page.value.pageInfo.completeForWindow;
      after = page.value.pageInfo.hasNextPage ? page.value.pageInfo.endCursor : null;
    } while (after !== null);
    const viewsOf = ({ metrics }: Answer) => metrics.find(({ name }: Answer) => name === 'VIEWS')?.value ?? null;
    history.add(this.name, {
      type: 'read',
      connectionId,
      account,
      window,
      from,
      complete: isComplete,
      items: items.map((item) => ({
        id: item.providerContentId,
        publishedAt: item.publishedAt,
        availability: item.availability,
        views: viewsOf(item),
      })),
    });
  }

  /** Publishes, edits or deletes a post at the platform. */
  #changePosts({ account }: Connection): void {
    const control = this.#control;
    const posts = control.posts(account).filter(({ isPublic, publishedAt }) => isPublic && publishedAt !== null);
    const choice = this.#random.next();
    const post = posts[this.#random.int(0, Math.max(0, posts.length - 1))];
    const views = String(this.#random.int(1_000, 999_999));
    if (choice < 0.5 || post === undefined) {
      const at = this.#stage.now();
      const added = control.addPost(account, { views, publishedAt: at, uploadedAt: at - 1_000, insights: 'given' });
      this.#stage.posts.push(added);
      this.#note('posted', account, added.id, views);
    } else if (choice < 0.8) {
      control.changePost(post.id, { views });
      this.#note('edited', account, post.id, views);
    } else {
      control.deletePost(post.id);
      this.#note('deleted', account, post.id);
    }
  }

  // Leave -------------------------------------------------------------------------------------------------------------

  async #leave(): Promise<void> {
    for (const connection of this.#connections.splice(0)) {
      if (connection.provider === 'PROVIDER_C' && this.#random.next() < 0.3) {
        this.#note('deletionAsked', connection.account); // Before it happens, as with `#erase`.
        if (!(await this.#stage.askDeletion(connection.account))) continue;
        this.#stage.expectErased(this.name, connection.account);
        continue;
      }
      const left = await this.#ask('disconnectConnection', { connectionId: connection.id });
      // NOT_FOUND: an earlier request without an answer has done it, or the platform or an operator has.
      if (left !== undefined) this.#stage.expectErased(this.name, connection.account);
      if (left === undefined || !('value' in left)) continue;
      const jobs = [left.value.revokeJobId, left.value.eraseJobId].map((id) => ({ connectionId: connection.id, id }));
      this.#jobs.push(...jobs);
      this.#left.push(connection.id);
      await this.#ask('connection', { id: connection.id });
      await this.#ask('content', {
        connectionId: connection.id,
        window: { ...lastDays(30, this.#stage.now()), first: 5 },
      });
      for (const job of jobs) await this.#poll('syncJob', job, ({ status }) => !OPEN.includes(status));
      await this.#ask('connection', { id: connection.id });
    }
  }

  /** The operator's receipt of the erasure. */
  async #concludeErasure(): Promise<void> {
    if (this.#erasure === undefined) return;
    const isComplete = await this.#stage.isErasureComplete(this.#erasure);
    this.#stage.history.add(this.name, { type: 'erasure', isComplete });
  }

  async #erase({ account }: Connection): Promise<void> {
    this.#isErased = true;
    // Noted before it happens: from here on the caller may find nothing.
    this.#stage.history.add(this.name, { type: 'operator', act: 'eraseSubject', accepted: true });
    this.#erasure = await this.#stage.eraseSubject(this.#scope);
    if (this.#erasure === undefined) return;
    for (const connection of this.#connections.splice(0)) this.#stage.expectErased(this.name, connection.account);
    this.#stage.expectErased(this.name, account, this.subject);
  }

  // -------------------------------------------------------------------------------------------------------------------

  async #ask(field: Parameters<Caller['ask']>[0], variables: object): Promise<Outcome> {
    const isScoped = !['createConnectSession', 'createIdpIdentitySession', 'redeemIdpIdentityResult'].includes(field);
    return await this.#caller.ask(field, { ...(isScoped && { scope: this.#scope }), ...variables });
  }

  /** Polls until the answer fits, an error is clear, or the patience of one person ends. */
  async #poll(
    field: Parameters<Caller['ask']>[0],
    variables: object,
    fits: (value: Answer) => boolean,
  ): Promise<Answer | undefined> {
    const giveUpAt = Date.now() + PATIENCE_MS;
    while (Date.now() < giveUpAt) {
      const outcome = await this.#ask(field, variables);
      if (outcome === undefined) continue;
      if ('code' in outcome) return undefined;
      if (fits(outcome.value)) return outcome.value;
      await delay(POLL_MS);
    }
    return undefined;
  }

  #see(session: string, step: BrowserStep, account?: string): void {
    this.#stage.history.add(this.name, { type: 'browser', session, step, ...(account !== undefined && { account }) });
  }

  #note(
    change: 'posted' | 'edited' | 'deleted' | 'appRemoved' | 'accessExpired' | 'deletionAsked',
    account: string,
    post?: string,
    views?: string,
  ): void {
    const about = { ...(post !== undefined && { post }), ...(views !== undefined && { views }) };
    this.#stage.history.add(this.name, { type: 'platform', change, account, ...about });
  }
}

const PAUSE_AFTER_FAILURE_MS = 300;

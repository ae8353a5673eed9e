import { deepEqual } from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { ProviderName } from '../../../src/basics/codes.ts';
import type { Person } from '../../kit/person.ts';
import type { TestService, TestServiceOptions } from '../../kit/service.ts';
import { stackTest } from '../../kit/stack.ts';
import { newToken, signIn } from '../../stack/operator.ts';
import { TASKS } from './tasks.ts';

/** Connects an account of a platform, and waits for its first posts. */
export async function connect(person: Person, provider: ProviderName) {
  const account = person.account(provider, /./);
  const { connectionId } = await person.connect(provider, account);
  await person.synced(connectionId);
  return { account, connectionId: String(connectionId) };
}

/** An operator at the console, whose steps count: a task that becomes longer is seen. */
export class Operator {
  readonly page: Page;
  readonly console: string;
  #task: keyof typeof TASKS | undefined;
  #clicks = 0;
  #pastes = 0;

  constructor(page: Page, console: string) {
    this.page = page;
    this.console = console;
  }

  /** Signs in as a new operator. It is no step of a task. */
  async signIn(service: TestService, role: 'VIEWER' | 'OPERATOR' | 'ADMIN', path = ''): Promise<void> {
    await this.page.goto(`${this.console}${path}`);
    await signIn(this.page, await newToken(service, role));
  }

  /** From here on the steps count for the task. */
  begin(task: keyof typeof TASKS): void {
    this.#task = task;
    this.#clicks = 0;
    this.#pastes = 0;
  }

  /** @throws Error unless the task took the steps of its line in the table. */
  end(): void {
    if (this.#task === undefined) throw new Error('No task has begun.');
    const task = this.#task;
    const { pastes, clicks } = TASKS[task];
    deepEqual({ task, pastes: this.#pastes, clicks: this.#clicks }, { task, pastes, clicks });
    this.#task = undefined;
  }

  async click(target: Locator): Promise<void> {
    this.#clicks += 1;
    await target.click();
  }

  /** Pastes into a field and presses Enter. */
  async paste(text: string, field = this.page.getByLabel('Find by id')): Promise<void> {
    this.#pastes += 1;
    await field.fill(text);
    await field.press('Enter');
  }

  title(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { level: 1, name, exact: typeof name === 'string' });
  }

  /** The path of the page, without the console's own. */
  get path(): string {
    return this.page
      .url()
      .slice(this.console.length)
      .replace(/[?#].*/, '');
  }
}

/** `test` with a whole service, a browser, and a page of its own for each test. */
export const taskTest = (options: TestServiceOptions = {}) =>
  stackTest(options).extend('operator', async ({ service, browser }, { onCleanup }) => {
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    onCleanup(() => page.close());
    return new Operator(page, `${service.apiUrls[0]}/admin`);
  });

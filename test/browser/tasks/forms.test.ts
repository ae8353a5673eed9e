import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { describe } from 'vitest';
import { findChromium } from '../../kit/chromium.ts';
import { faultsOf } from '../../kit/page-faults.ts';
import type { TestService } from '../../kit/service.ts';
import { operator as adminOf, signIn } from '../../stack/operator.ts';
import { type Operator, taskTest } from './stage.ts';

const test = taskTest();

async function newApp(service: TestService, name: string): Promise<string> {
  const admin = await adminOf(service);
  const { createApp } = await admin('mutation ($n: String!) { createApp(input: { name: $n }) { id } }', { n: name });
  for (const provider of ['PROVIDER_A', 'PROVIDER_B']) {
    await admin(
      'mutation ($id: ID!, $p: SocialProvider!) { setPolicy(appId: $id, provider: $p, capabilities: [PROFILE]) { id } }',
      { id: createApp.id, p: provider },
    );
  }
  return createApp.id;
}

const readApp = async (service: TestService, id: string) =>
  (await service.database.sql`select name, requests_per_second from app where app_id = ${id}`)[0];

/** Ends every session, as 30 idle minutes do. */
const endSessions = async ({ database }: TestService) => void (await database.sql`delete from admin_session`);

/** Another tab of the same browser. Playwright gives no second page to a context that it made for one page. */
async function openTab(browser: Browser, { page }: Operator): Promise<Page> {
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const tab = await context.newPage();
  return tab;
}

/** The browser's events when its user returns to the window. */
const comeBack = (page: Page) => page.evaluate("window.dispatchEvent(new Event('focus'))");

async function createToken(service: TestService, label: string): Promise<string> {
  const admin = await adminOf(service);
  const { createAdminToken } = await admin(
    `mutation ($i: CreateAdminTokenInput!) { createAdminToken(input: $i) { secret } }`,
    { i: { label, role: 'ADMIN', idempotencyKey: randomUUID() } },
  );
  return createAdminToken.secret;
}

describe.skipIf(findChromium() === undefined)('a form of the console', () => {
  test('keeps the typed text when the session ends, and hides the page until the same operator signs in', async ({
    service,
    operator,
    expect,
  }) => {
    const id = await newApp(service, 'Mooring');
    const [token, another] = [await createToken(service, 'Ada'), await createToken(service, 'Bo')];
    await operator.page.goto(operator.console);
    await signIn(operator.page, token);
    const { page } = operator;
    await page.goto(`${operator.console}/apps/${id}#general`);
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Mooring at night');
    await endSessions(service);
    await comeBack(page);
    const sheet = page.getByRole('dialog', { name: 'Sign in again' });
    await sheet.getByText('Your session has ended').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    // Nothing of the page can be read below it, or reached with the keyboard.
    const box = await sheet.boundingBox();
    expect(box).toMatchObject({ x: 0, y: 0, width: page.viewportSize()?.width });
    expect(await page.locator('[inert] #content').count()).toBe(1);
    await sheet.getByLabel('Admin token').fill(token);
    // Who has signed in gets no answer at first.
    let lost = 0;
    await page.route('**/api/admin/graphql', (route) => {
      lost += 1;
      return route.abort();
    });
    await sheet.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect.poll(() => lost).toBeGreaterThan(0);
    expect(await sheet.isVisible()).toBe(true);
    await page.unroute('**/api/admin/graphql');
    await sheet.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Mooring at night');
    await page.locator('#general').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await readApp(service, id)).toMatchObject({ name: 'Mooring at night' });

    // Another operator finds a new page.
    await name.fill('Not for your eyes');
    await endSessions(service);
    await comeBack(page);
    await sheet.getByLabel('Admin token').fill(another);
    await sheet.getByRole('button', { name: 'Sign in', exact: true }).click();
    await sheet.waitFor({ state: 'detached' });
    await name.waitFor();
    expect(await name.inputValue()).toBe('Mooring at night');
  });

  test('shows the changes of another tab, undoes none of them, and shows those that it would replace', async ({
    service,
    operator,
    browser,
    expect,
  }) => {
    const id = await newApp(service, 'Buoy');
    await operator.signIn(service, 'ADMIN', `/apps/${id}#general`);
    const [page, other] = [operator.page, await openTab(browser, operator)];
    await other.goto(`${operator.console}/apps/${id}#general`);
    const [mine, theirs] = [page, other].map((tab) => ({
      name: tab.getByRole('textbox', { name: 'Name', exact: true }),
      rate: tab.getByRole('textbox', { name: 'Requests per second' }),
      save: tab.locator('#general').getByRole('button', { name: 'Save' }),
    }));
    if (mine === undefined || theirs === undefined) throw new Error('There are two tabs.');
    await mine.name.fill('My buoy');
    await theirs.rate.fill('7');
    await theirs.save.click();
    await other.getByText('Saved.').waitFor();
    await comeBack(page);
    await expect.poll(() => mine.rate.inputValue()).toBe('7');
    expect(await mine.name.inputValue()).toBe('My buoy');
    await mine.save.click();
    await page.getByText('Saved.').waitFor();
    expect(await readApp(service, id)).toEqual({ name: 'My buoy', requestsPerSecond: 7 });

    // Both change the same field.
    await comeBack(other);
    await expect.poll(() => theirs.name.inputValue()).toBe('My buoy');
    await mine.name.fill('Mine again');
    await theirs.name.fill('Theirs');
    await theirs.save.click();
    await expect.poll(async () => (await readApp(service, id))?.name).toBe('Theirs');
    await comeBack(page);
    await page.getByText('The name is now “Theirs”.').waitFor();
    expect(await mine.name.inputValue()).toBe('Mine again');
    await page.getByRole('button', { name: 'Use the stored values' }).click();
    expect(await mine.name.inputValue()).toBe('Theirs');

    await other.context().close();
  });
});

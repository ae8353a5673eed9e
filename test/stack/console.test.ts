import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Browser, Page, Request, Route } from 'playwright-core';
import { describe, vi } from 'vitest';
import { stretch } from '../kit/busy.ts';
import { findChromium, openChromium } from '../kit/chromium.ts';
import { complaintsOf, faultsOf } from '../kit/page-faults.ts';
import { insertAdminToken } from '../kit/seed.ts';
import type { TestService } from '../kit/service.ts';
import { stackTest } from '../kit/stack.ts';
import { seedFailed } from './many-people.ts';
import { operator } from './operator.ts';
import { stuckRevoke } from './stuck-revoke.ts';

const SOON = { interval: 20 };
/** For an operator on call, from the sign-in to a settled revoke. */
const MAX_SETTLE_MS = 60_000;
/** More stuck revokes than one page shows. */
const MANY = 24;
const TEMPORAL_UI_URL = 'http://temporal.test';

const test = stackTest({ adjustments: { TEMPORAL_UI_URL } })
  .extend<{ $file: { browser: Browser } }>({
    browser: [
      // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
      async ({}, use) => {
        const browser = await openChromium();
        await use(browser);
        await browser.close();
      },
      { scope: 'file' },
    ],
  })
  .extend('visit', async ({ service, browser }, { onCleanup }) => {
    const page = await browser.newPage({ acceptDownloads: true });
    onCleanup(() => page.close());
    return { page, complaints: complaintsOf(page), console: `${service.apiUrls[0]}/admin` };
  });

const hourAhead = () => new Date(Date.now() + 3_600_000);
const newToken = async ({ database }: TestService, role: 'VIEWER' | 'OPERATOR' | 'ADMIN') =>
  (await insertAdminToken(database.sql, { label: `A ${role}`, role, expiresAt: hourAhead() })).token;

/** Signs in at the page's current URL. */
async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Admin token').fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
}

/** The filter of a query that the page sends; undefined for other requests. */
function filterOf(request: Request, operation: string): unknown {
  if (!request.url().endsWith('/api/admin/graphql')) return undefined;
  const { query, variables } = request.postDataJSON();
  return query.includes(`query ${operation}(`) ? variables.filter : undefined;
}

const card = (page: Page) => page.getByRole('article', { name: 'Revoke at TikTok' }).first();
/** Presses Tab until the button of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).waitFor();
  await vi.waitUntil(async () => {
    await page.keyboard.press('Tab');
    return (await page.evaluate('document.activeElement.ariaLabel')) === name;
  }, SOON);
}

/** Lists visible targets that are smaller than `least` pixels, except links within a sentence. */
const listSmallTargets = (page: Page, least: number) =>
  page.evaluate(
    `[...document.querySelectorAll('button, a[href], input, select, textarea')]
      .filter((target) => !target.closest('[aria-hidden="true"]') && getComputedStyle(target).display !== 'inline')
      .map((target) => target.closest('.mantine-Checkbox-body, .mantine-Switch-body, .mantine-MultiSelect-input') ?? target.labels?.[0]?.closest('.mantine-SegmentedControl-label') ?? target)
      .filter((target) => {
        const { width, height, right } = target.getBoundingClientRect();
        return target.checkVisibility() && right > 0 && width > 1 && height > 1 && (width < ${least} || height < ${least});
      })
      .map((target) => target.outerHTML.slice(0, 160) + ' ' + target.getBoundingClientRect().width + 'x' + target.getBoundingClientRect().height)`,
  ) as Promise<string[]>;

function newGate(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

describe.skipIf(findChromium() === undefined)('an operator on call', () => {
  test('finds a stuck revoke, reads the reason, retries it and sees it settle', async ({
    service,
    newPerson,
    visit: { page, complaints, console: url },
    expect,
  }) => {
    const person = newPerson();
    const { account, connectionId, endOutage } = await stuckRevoke(service, await operator(service), person);
    await page.goto(url);
    const startedAt = performance.now();
    await signIn(page, await newToken(service, 'OPERATOR'));
    await card(page)
      .getByText(/^stuck for /)
      .waitFor();
    const found = performance.now() - startedAt;
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe('1 revoke stuck');
    expect(await card(page).innerText()).toMatch(
      /Reason: The provider answered with HTTP 503\. The job retries\. PROVIDER_UNAVAILABLE\s+Last try .*: the provider answered with HTTP 503\.\s+Failed once, on .* Next try in (49|50) min/,
    );

    // A retry during the outage fails; the card shows that and the next try.
    await card(page).getByRole('button', { name: 'Retry now' }).click();
    await card(page)
      .getByText(/^Retried and failed again: The provider answered with HTTP 503\./)
      .waitFor();
    await card(page)
      .getByText(/Next try in/)
      .waitFor();
    endOutage();
    await tabTo(page, `Retry now: Revoke at TikTok of Harbour Kitchen, tenant “${service.app.tenantKey}”`);
    await page.keyboard.press('Enter');
    await card(page)
      .getByText(/^Settled after [\d.]+ s: access at the provider is revoked\.$/)
      .waitFor();
    const settled = performance.now() - startedAt;
    console.log(`stuck revoke: found ${seconds(found)} s after sign-in, settled ${seconds(settled)} s after sign-in`);
    expect(settled).toBeLessThan(stretch(MAX_SETTLE_MS));
    expect(person.liveGrants(account)).toEqual([]);
    await page.getByRole('heading', { name: 'No stuck jobs' }).waitFor();
    expect(await page.evaluate('document.activeElement.innerText')).toMatch(/^Settled after/);

    await card(page).getByRole('link', { name: 'View connection' }).click();
    await page.getByText(/^This connection was erased/).waitFor();
    expect(
      await page
        .getByRole('link', { name: /^Workflow in Temporal/ })
        .first()
        .getAttribute('href'),
    ).toBe(`${TEMPORAL_UI_URL}/namespaces/default/workflows/${encodeURIComponent(`disconnect/${connectionId}`)}`);
    const [proof] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download proof of deletion' }).click(),
    ]);
    const { document } = JSON.parse(readFileSync(await proof.path(), 'utf8'));
    expect(JSON.parse(document)).toMatchObject({ connectionId, revoke: { status: 'SUCCEEDED' } });
    expect(complaints).toEqual([]);
  });

  test('sees stuck revokes grouped by app, filters those of one app and retries them together', async ({
    service,
    visit: { page, complaints, console: url },
    expect,
  }) => {
    const { sql } = service.database;
    await seedFailed(service, MANY);
    // More apps than the filter shows, all newer than the app to find; one of them has the same name.
    await sql`insert into app (app_id, name) select gen_random_uuid(), 'Crowd ' || n from generate_series(1, 30) n`;
    await sql`insert into app (app_id, name) values (gen_random_uuid(), 'Harbour Kitchen')`;
    await page.goto(url);
    await signIn(page, await newToken(service, 'OPERATOR'));
    await page.getByRole('heading', { name: `${MANY} revokes stuck` }).waitFor();
    const group = page.getByRole('row', { name: `${MANY} revokes` });
    expect(await group.innerText()).toMatch(
      new RegExp(
        `${MANY} failed permanently\\s+Harbour Kitchen ${service.app.appId.slice(0, 8)}\\s+TikTok\\s+The provider`,
      ),
    );
    await page.getByRole('link', { name: 'View all stuck jobs' }).click();
    const search = page.waitForResponse((response) => response.request().postData()?.includes('"harbour"') === true);
    await page.getByRole('button', { name: 'App', exact: true }).click();
    await page.getByRole('combobox', { name: 'App' }).fill('harbour');
    await search;
    await page.getByRole('option', { name: service.app.appId.slice(0, 8) }).waitFor();
    expect(await faultsOf(page)).toEqual([]); // A phone's width closes it.
    await page.getByRole('button', { name: 'App', exact: true }).click();
    await page.getByRole('combobox', { name: 'App' }).fill('harbour');
    await page.getByRole('option', { name: service.app.appId.slice(0, 8) }).click();
    await page.getByText(`${MANY} jobs stuck`).waitFor();
    expect(new URL(page.url()).searchParams.get('app')).toBe(service.app.appId);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('button', { name: 'Previous page', disabled: false }).waitFor();

    await page.getByRole('button', { name: 'Retry all…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry jobs' });
    await dialog.getByText(`${MANY} jobs will be retried. Of these, ${MANY} revokes failed permanently.`).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Retry', exact: true }).click();
    const status = page.getByRole('group', { name: 'Bulk retry' });
    await status.getByText('all were tried within').first().waitFor();
    expect(await status.innerText()).toContain(`: ${MANY} settled.`);
    await page.getByText('This page is empty now').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('with a read-only role reads why they may not retry', async ({ service, newPerson, visit, expect }) => {
    const { page, complaints } = visit;
    const { revokeJobId, endOutage } = await stuckRevoke(service, await operator(service), newPerson());
    await page.goto(`${visit.console}/jobs/${revokeJobId}`);
    await signIn(page, await newToken(service, 'VIEWER'));
    const live = page.locator('section', { has: page.getByRole('heading', { name: 'In Temporal now' }) });
    await live.getByText(/^Revokes the grant, for /).waitFor();
    expect(await live.innerText()).toMatch(
      /Running[\s\S]*the next try \((49|50) min( \d+ s)? left\)[\s\S]*PROVIDER_UNAVAILABLE, 1 try[\s\S]*\d+ events/,
    );
    expect(await live.getByText('Row and workflow disagree').count()).toBe(0);
    const retry = page.getByRole('button', { name: 'Retry now' });
    expect(await retry.getAttribute('aria-disabled')).toBe('true');
    await retry.hover();
    await page.getByRole('tooltip').getByText('Requires the role OPERATOR. You are signed in as VIEWER.').waitFor();
    endOutage();
    expect(complaints).toEqual([]);
  });

  test('sees the failures of the last day, and opens the rows of a reason and of an hour', async ({
    service,
    newPerson,
    visit: { page, complaints, console: url },
    expect,
  }) => {
    const person = newPerson();
    const { connectionId } = await person.connect('PROVIDER_B', person.account('PROVIDER_B', /./));
    await person.synced(connectionId);
    const session = await person.createSession('PROVIDER_A');
    await (await operator(service))('mutation ($id: ID!) { cancelAttempt(id: $id) { id } }', { id: session.id });
    await page.goto(url);
    await signIn(page, await newToken(service, 'VIEWER'));
    await page.getByRole('heading', { name: 'Last 24 hours' }).waitFor();
    await page.getByRole('link', { name: 'View trends and reasons' }).click();
    const connects = page.getByRole('region', { name: 'Connects' });
    await connects.getByText(/^[1-9]\d* connected$/).waitFor();
    await connects.getByText(/^[1-9]\d* ended by the person or the app$/).waitFor();
    await page
      .getByRole('region', { name: 'Refreshes and lookups' })
      .getByText(/^[1-9]\d* succeeded$/)
      .waitFor();
    // A column is for the mouse; the same numbers and links are in a table, for the keyboard.
    await connects.getByRole('button', { name: 'Show the numbers' }).press('Enter');
    await connects.getByRole('row').getByRole('link').first().press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Attempts' }).waitFor();
    await page.getByRole('link', { name: session.id.slice(0, 8) }).waitFor();
    await page.getByRole('button', { name: /^Started: since |^Started: .+ to / }).waitFor();
    await page.goBack();
    await connects.getByRole('link', { name: 'CANCELED', exact: true }).click();
    await page.getByRole('link', { name: session.id.slice(0, 8) }).waitFor();
    expect(await page.getByRole('row').getByText('canceled', { exact: true }).count()).toBe(
      (await page.getByRole('row').count()) - 1, // The head has none.
    );
    await page.goBack();
    await connects.locator('[aria-hidden] a').last().click();
    await page.getByRole('link', { name: session.id.slice(0, 8) }).waitFor();

    await page.goto(`${url}/trends?period=MONTH&provider=PROVIDER_B`);
    await page.getByRole('region', { name: 'Revokes' }).waitFor();
    expect(await page.getByRole('region', { name: 'Webhook deliveries' }).count()).toBe(0); // They have no provider.
    expect(complaints).toEqual([]);
  });

  test('opens a list with the filters of its URL, names unknown values, and keeps a typed id in the URL', async ({
    service,
    visit: { page, complaints, console: url },
    expect,
  }) => {
    const since = '2026-11-20T08:00:00.000Z';
    await page.goto(
      `${url}/attempts?status=FAILED,NEVER,CREATED&provider=NOBODY&result=NEW_CODE&since=${since}&before=never`,
    );
    const attempts = page.waitForRequest((request) => filterOf(request, 'Attempts') !== undefined);
    await signIn(page, await newToken(service, 'VIEWER'));
    expect(filterOf(await attempts, 'Attempts')).toEqual({
      statuses: ['CREATED', 'FAILED'],
      provider: null,
      appId: null,
      lastAnswer: null,
      resultCode: 'NEW_CODE',
      since,
      before: null,
    });
    await page.getByRole('button', { name: 'Result: NEW_CODE' }).waitFor();
    await page.getByRole('button', { name: /^Started: since / }).click();
    expect(await page.getByLabel('From').inputValue()).not.toBe('');
    expect(await page.getByLabel('Before').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await page
      .getByRole('alert')
      .getByText('It does not filter by status “NEVER”, provider “NOBODY” and before “never”')
      .waitFor();
    await page.goto(`${url}/jobs/not-an-id`);
    await page.getByRole('heading', { level: 1, name: 'Not an id' }).waitFor();

    expect(complaints).toEqual([]);
  });

  test('is told that they are still signed in while the api does not answer, and signs out when it does', async ({
    service,
    visit: { page, console: url },
    expect,
  }) => {
    const countSessions = async () => (await service.database.sql`select from admin_session`).length;
    const ofOthers = await countSessions();
    await page.goto(`${url}/connections`);
    await signIn(page, await newToken(service, 'VIEWER'));
    await page.getByRole('heading', { name: 'Connections' }).waitFor();
    const signOut = async () => {
      await page.getByRole('button', { name: 'viewer menu' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    const unreachable = (route: Route) => route.abort();
    await page.route('**/api/admin/**', unreachable);
    await page.getByLabel('Find by id').fill(randomUUID());
    await page.keyboard.press('Enter');
    await page.locator('.mantine-Notification-root').getByText('The api did not answer.').waitFor(); // And not that the id is unknown.
    await signOut();
    await page.getByText('You are still signed in').waitFor();
    await page.unroute('**/api/admin/**', unreachable);
    await signOut();
    await page.getByLabel('Admin token').waitFor();
    expect(await countSessions()).toBe(ofOthers);
  });
});

describe.skipIf(findChromium() === undefined)('an admin', () => {
  test('sets up an app step by step and sends a first request', async ({ service, visit, expect }) => {
    const { page, complaints } = visit;
    await page.goto(`${visit.console}/apps/new`);
    await signIn(page, await newToken(service, 'ADMIN'));
    const submit = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.getByLabel('Name').fill('Lighthouse Bakery');
    await submit('Create app');
    // The keyboard focus stays in place: at the heading of the next step, or at the button of a refused one.
    const focused = () => page.evaluate('document.activeElement.innerText');
    await page.getByRole('heading', { name: 'Add a tenant' }).waitFor();
    await vi.waitUntil(async () => (await focused()) === 'Add a tenant', SOON);
    await page.getByLabel('Tenant key').fill('main');
    await submit('Add tenant');
    await page.getByLabel('Return URL').fill('http://app.example/back');
    await page.getByRole('button', { name: 'Add return URL', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('It must begin with https://').waitFor();
    await vi.waitUntil(async () => (await focused()) === 'Add return URL', SOON);
    await page.getByLabel('Return URL').fill('https://app.example/back');
    await submit('Add return URL');
    await page.getByRole('group', { name: 'Capabilities at TikTok (PROVIDER_B)' }).getByLabel('profile').check();
    // After a reload, the setup continues at the same step.
    await submit('Save policy');
    await page.getByText('Choose registrations').waitFor();
    await page.reload();
    await page.getByLabel('Registration at TikTok (PROVIDER_B)').first().waitFor();
    await submit('Save registrations');
    await page.getByText('Issue a key for the backend').waitFor();
    // The api issues the key but the answer is lost. The repeated request must not issue a second key.
    const graphql = '**/api/admin/graphql';
    await page.route(graphql, async (request) => {
      if (request.request().postData()?.includes('issueKey') !== true) return await request.fallback();
      await request.fetch();
      return await request.abort();
    });
    await submit('Issue key');
    await page.getByText('the change may or may not have been made').waitFor();
    await page.unroute(graphql);
    await submit('Issue key');
    await page.getByText('the answer that contained it was lost').waitFor();
    expect(
      await service.database.sql`
      select from app_key join app using (app_id) where app.name = 'Lighthouse Bakery'
    `,
    ).toHaveLength(1);
    await submit('Issue key');
    await page.getByText('The app can connect accounts at every provider of its policy.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    const command = await page.getByRole('group', { name: 'First request' }).innerText();
    await submit("I've saved it");
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    const keys = page.getByRole('table', { name: 'Keys' });
    await keys
      .getByRole('button', { name: /^Add a label: / })
      .first()
      .click();
    const label = page.getByRole('dialog', { name: 'Label of the key' });
    await label.getByRole('textbox').fill('checkout, blue');
    await label.getByRole('textbox').press('Enter');
    await keys.getByText('checkout, blue').waitFor();
    expect(await keys.innerText()).toContain('never'); // Used, and the expiry.
    expect(await page.content()).not.toContain(/Bearer [\w-]+\.(\w+)/.exec(command)?.[1]);

    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    const { data } = JSON.parse(stdout);
    expect(data.integrationReadiness.providers).toContainEqual(
      expect.objectContaining({ provider: 'PROVIDER_B', available: true }),
    );
    await vi.waitUntil(async () => {
      await page.goto(`${page.url().replace(/#.*/, '')}#keys`);
      await page.reload();
      await keys.waitFor();
      return (await keys.getByText('in the last hour').count()) === 1;
    }, SOON);
    expect(complaints).toEqual(['Failed to load resource: net::ERR_FAILED']); // The lost answer.
  });

  test('sees how many connections a pause affects before confirming it', async ({
    service,
    newPerson,
    visit,
    expect,
  }) => {
    const { page, complaints } = visit;
    const person = newPerson();
    const account = person.account('PROVIDER_C', /./);
    await person.synced((await person.connect('PROVIDER_C', account)).connectionId);
    const [registration] = await service.database.sql`
      select registration_id, label from registration where provider = 'PROVIDER_C'
    `;
    const pausedAt = async () =>
      (await service.database.sql`select paused_at from registration where provider = 'PROVIDER_C'`)[0]?.pausedAt;
    await page.goto(`${visit.console}/registrations/${registration?.registrationId}`);
    await signIn(page, await newToken(service, 'ADMIN'));
    const more = page.getByRole('button', { name: 'More actions' });
    await more.click();
    await page.getByRole('button', { name: 'Pause…' }).click();
    const dialog = page.getByRole('dialog', { name: `Pause “${registration?.label}”` });
    await dialog.getByText('1 connection will become unreadable. 0 open jobs').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(await pausedAt()).toBeNull();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('More actions');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Pause…' }).press('Enter');
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText(/^paused for/).waitFor();
    expect(await pausedAt()).not.toBeNull();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('active', { exact: true }).waitFor();
    expect(await pausedAt()).toBeNull();
    const urls = await page.getByRole('table', { name: 'URLs to enter at the platform' }).innerText();
    expect(urls).toContain(`/api/platform/provider-c/${registration?.registrationId}/data-deletion`);

    await page.getByRole('link', { name: 'Audit log' }).click();
    const paused = page.getByRole('row', { name: 'paused registration' }).first();
    await paused.getByRole('link', { name: /^A ADMIN [0-9a-f]{8}$/ }).click();
    await page.getByRole('button', { name: /^Operator: A ADMIN / }).waitFor();
    const named = page.getByRole('link', { name: /^A \w+ [0-9a-f]{8}$/ });
    await vi.waitUntil(async () => new Set(await named.allInnerTexts()).size === 1, SOON);
    expect(await named.count()).toBeGreaterThanOrEqual(2);
    expect(complaints).toEqual([]);
  });

  test('erases a person after typing their id, finds the receipt, and filters the audit log by choice', async ({
    service,
    newPerson,
    visit: { page, complaints, console: url },
    expect,
  }) => {
    const person = newPerson();
    const { connectionId } = await person.connect('PROVIDER_B', person.account('PROVIDER_B', /./));
    await person.synced(connectionId);
    const { tenantKey, externalSubjectId } = person.scope;
    await page.goto(`${url}/erasures`);
    await signIn(page, await newToken(service, 'ADMIN'));
    // The outline of the page stands while its data is on its way.
    const { promise: isSeen, resolve: release } = newGate();
    await page.route('**/api/admin/graphql', async (request) => {
      if (request.request().postData()?.includes('connections(')) await isSeen;
      return await request.fallback();
    });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'People' }).click();
    await page.getByRole('combobox', { name: 'App' }).fill('harbour');
    await page.getByRole('option', { name: service.app.appId.slice(0, 8) }).click();
    await page.getByRole('combobox', { name: 'Tenant' }).fill(tenantKey);
    await page.getByRole('textbox', { name: 'Subject' }).fill(externalSubjectId);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByRole('status', { name: 'Loading' }).locator('.mantine-Skeleton-root').first().waitFor();
    release();
    await page.getByRole('link', { name: String(connectionId).slice(0, 8) }).waitFor();
    await page.getByRole('button', { name: 'Erase this person…' }).click();
    const dialog = page.getByRole('dialog', { name: `Erase ${externalSubjectId}` });
    const confirm = dialog.getByRole('button', { name: 'Erase permanently' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(/^Type “/).fill(externalSubjectId);
    await confirm.click();
    const title = page.getByRole('heading', { level: 1, name: 'Erasure of a person' });
    await title.waitFor();
    const receipt = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByRole('link', { name: 'Erasure receipts' }).click();
    await page.getByRole('link', { name: receipt.slice(0, 8) }).click();
    await title.waitFor();
    await page.getByText(/^(In progress|Complete)/).waitFor();

    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('button', { name: 'Action', exact: true }).click();
    await page.getByRole('option', { name: 'Erase subject', exact: true }).click();
    const log = page.getByRole('table', { name: 'Audit log' });
    await log.getByText('erased subject').first().waitFor();
    await log.getByText('signed in').first().waitFor({ state: 'detached' });
    await log.getByText('erased subject').first().waitFor();
    expect(await page.content()).not.toContain(externalSubjectId);
    expect(complaints).toEqual([]);
  });

  test('has targets of 24 pixels for a mouse, and of 44 for a finger', async ({ service, browser, visit, expect }) => {
    const touch = await browser.newPage({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } });
    try {
      for (const [page, least] of [
        [visit.page, 24],
        [touch, 44],
      ] as const) {
        await page.goto(visit.console);
        await signIn(page, await newToken(service, 'ADMIN'));
        for (const path of [
          '',
          '/jobs',
          '/attempts',
          `/apps/${service.app.appId}`,
          '/registrations',
          '/audit',
          '/trends',
        ]) {
          await page.evaluate(`history.pushState(null, '', '/admin${path}')`);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await vi.waitUntil(async () => (await page.getByRole('status', { name: 'Loading' }).count()) === 0, SOON);
          expect([path, await listSmallTargets(page, least)]).toEqual([path, []]);
        }
        // The header stays on one line.
        const name = await page.getByRole('banner').getByText('Console', { exact: true }).boundingBox();
        expect(name?.height).toBeLessThan(30);
      }
    } finally {
      await touch.close();
    }
  });

  test('finds every page accessible, in light and dark, on a phone and a desktop', async ({
    service,
    newPerson,
    visit: { page, complaints, console: url },
    expect,
  }) => {
    const { connectionId, revokeJobId, endOutage } = await stuckRevoke(service, await operator(service), newPerson());
    await page.goto(url);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    const faults = await faultsOf(page);
    await signIn(page, await newToken(service, 'ADMIN'));
    const { appId } = service.app;
    const [registration] = await service.database.sql`select registration_id, label from registration limit 1`;
    const places: readonly [path: string, title: string][] = [
      ['', 'Overview'],
      ['/trends', 'Trends'],
      ['/trends?period=MONTH', 'Trends'],
      ['/jobs?stuck=true', 'Jobs'],
      [`/jobs/${revokeJobId}`, 'Revoke at TikTok'],
      ['/connections', 'Connections'],
      [`/connections/${connectionId}`, 'Connection at TikTok'],
      ['/attempts', 'Attempts'],
      ['/people', 'People'],
      ['/erasures', 'Erasure receipts'],
      [`/find?text=${revokeJobId.slice(0, 8)}`, 'Found'],
      ['/disconnects', 'Bulk disconnects'],
      ['/unknown-answers', 'Unknown answers'],
      ['/apps', 'Apps'],
      [`/apps/${appId}`, 'Harbour Kitchen'],
      ...['keys', 'tenants', 'addresses', 'policies', 'webhooks', 'sign-in', 'branding', 'settings'].map(
        (tab): [string, string] => [`/apps/${appId}#${tab}`, 'Harbour Kitchen'],
      ),
      ['/apps/new', 'Set up an app'],
      ['/registrations', 'Registrations'],
      [`/registrations/${registration?.registrationId}`, registration?.label],
      ['/issuers', 'Sign-in issuers'],
      ['/audit', 'Audit log'],
      ['/tokens', 'Operators'],
      ['/nowhere', 'Page not found'],
    ];
    for (const [path, title] of places) {
      await page.evaluate(`history.pushState(null, '', '/admin${path}')`);
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      await vi.waitUntil(async () => (await page.getByRole('status', { name: 'Loading' }).count()) === 0, SOON);
      faults.push(...(await faultsOf(page)));
    }
    endOutage();
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

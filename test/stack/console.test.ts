import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Browser, Page, Route } from 'playwright-core';
import { describe, vi } from 'vitest';
import { insertAdminToken } from '../../src/store/admin/tokens.ts';
import { complaintsOf, faultsOf } from '../caller/faults.ts';
import { findChromium, openChromium } from '../kit/chromium.ts';
import type { TestService } from '../kit/service.ts';
import { seedFailed } from './many-people.ts';
import type { Person } from './person.ts';
import { stackTest } from './stack.ts';

const OUTAGE = { kind: 'status', status: 503, retryAfterSeconds: 3_000 } as const;
const SOON = { timeout: 30_000, interval: 20 };
/** On call, from the sign-in to a settled revoke. */
const WITHIN_MS = 60_000;
/** Stuck revokes: more than stand on a page. */
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
    page.setDefaultTimeout(20_000);
    onCleanup(() => page.close());
    return { page, complaints: complaintsOf(page), console: `${service.apiUrls[0]}/admin` };
  });

const hourAhead = () => new Date(Date.now() + 3_600_000);
const newToken = async ({ database }: TestService, role: 'VIEWER' | 'OPERATOR' | 'ADMIN') =>
  (await insertAdminToken(database.sql, { label: `A ${role}`, role, expiresAt: hourAhead() })).token;

/** From whatever address the page is at. */
async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Admin token').fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Places' }).waitFor({ state: 'attached' });
}

/** A revoke that its provider has refused with most of an hour to wait, and how to mend the provider. */
async function stuckRevoke({ sandbox: { control }, database }: TestService, person: Person) {
  const account = person.account('PROVIDER_B', /^250 posts/);
  const { connectionId } = await person.connect('PROVIDER_B', account);
  await person.synced(connectionId);
  const { id: fault } = control.addFault({
    provider: 'PROVIDER_B',
    route: 'revoke',
    account,
    what: OUTAGE,
    times: null,
  });
  const { revokeJobId } = await person.ask('disconnectConnection', { connectionId });
  await vi.waitUntil(async () => {
    const [job] = await database.sql`select next_retry_at from disconnect_job where job_id = ${revokeJobId}`;
    return job?.nextRetryAt != null;
  }, SOON);
  return { account, connectionId: String(connectionId), revokeJobId, mend: () => control.removeFault(fault) };
}

const card = (page: Page) => page.getByRole('article', { name: 'Revoke at PROVIDER_B' }).first();
/** By keyboard, from wherever the focus is, to the button of this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).waitFor();
  await vi.waitUntil(async () => {
    await page.keyboard.press('Tab');
    return (await page.evaluate('document.activeElement.ariaLabel')) === name;
  }, SOON);
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

describe.skipIf(findChromium() === undefined)('somebody on call who has never seen this', () => {
  test('finds a stuck revoke, reads why, pushes it and sees it settle', async ({
    service,
    newPerson,
    visit: { page, complaints, console: url },
    expect,
  }) => {
    const person = newPerson();
    const { account, connectionId, mend } = await stuckRevoke(service, person);
    await page.goto(url);
    const startedAt = performance.now();
    await signIn(page, await newToken(service, 'OPERATOR'));
    await card(page)
      .getByText(/^stuck for /)
      .waitFor();
    const found = performance.now() - startedAt;
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe('1 revoke stuck');
    expect(await card(page).innerText()).toMatch(
      /Why: The provider did not answer, .* PROVIDER_UNAVAILABLE\s+Failed once, on .* Next try in (49|50) min/,
    );

    // Pushed while the provider is still down it says so, and says when it is tried next.
    await card(page).getByRole('button', { name: 'Push now' }).click();
    await card(page)
      .getByText(/^Tried again, and failed again: The provider did not answer/)
      .waitFor();
    await card(page)
      .getByText(/Next try in/)
      .waitFor();
    mend();
    await tabTo(page, `Push now: Revoke at PROVIDER_B of Harbour Kitchen, tenant “${service.app.tenantKey}”`);
    await page.keyboard.press('Enter');
    await card(page)
      .getByText(/^Settled after [\d.]+ s: our access at the provider has ended\.$/)
      .waitFor();
    const settled = performance.now() - startedAt;
    console.log(
      `stuck revoke: found ${seconds(found)} s after sign-in, pushed, settled ${seconds(settled)} s after sign-in`,
    );
    expect(settled).toBeLessThan(WITHIN_MS);
    expect(person.liveGrants(account)).toEqual([]);
    await page.getByRole('heading', { name: 'Nothing is stuck' }).waitFor();
    expect(await page.evaluate('document.activeElement.innerText')).toMatch(/^Settled after/);

    await card(page).getByRole('link', { name: "The connection's story" }).click();
    await page.getByText(/^It has been erased/).waitFor();
    expect(
      await page
        .getByRole('link', { name: /^Workflow in Temporal/ })
        .first()
        .getAttribute('href'),
    ).toBe(`${TEMPORAL_UI_URL}/namespaces/default/workflows/${encodeURIComponent(`disconnect/${connectionId}`)}`);
    const [proof] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the proof of deletion' }).click(),
    ]);
    const { document } = JSON.parse(readFileSync(await proof.path(), 'utf8'));
    expect(JSON.parse(document)).toMatchObject({ connectionId, revoke: { status: 'SUCCEEDED' } });
    expect(complaints).toEqual([]);
  });

  test('sees at a glance whose many revokes are stuck, finds those of one app, and pushes them together', async ({
    service,
    visit: { page, complaints, console: url },
    expect,
  }) => {
    const { sql } = service.database;
    await seedFailed(service, MANY);
    // More apps than are shown to choose from, made after the one that is looked for; one of them has its name.
    await sql`insert into app (app_id, name) select gen_random_uuid(), 'Crowd ' || n from generate_series(1, 30) n`;
    await sql`insert into app (app_id, name) values (gen_random_uuid(), 'Harbour Kitchen')`;
    await page.goto(url);
    await signIn(page, await newToken(service, 'OPERATOR'));
    await page.getByRole('heading', { name: `${MANY} revokes stuck` }).waitFor();
    const group = page.getByRole('row', { name: `${MANY} revokes` });
    expect(await group.innerText()).toMatch(
      new RegExp(
        `${MANY} failed for good\\s+Harbour Kitchen ${service.app.appId.slice(0, 8)}\\s+PROVIDER_B\\s+The provider`,
      ),
    );
    await page.getByRole('link', { name: 'See all that is stuck' }).click();
    const search = page.waitForResponse((response) => response.request().postData()?.includes('"harbour"') === true);
    await page.getByRole('combobox', { name: 'App' }).fill('harbour');
    await search;
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('option', { name: service.app.appId.slice(0, 8) }).click();
    await page.getByText(`${MANY} jobs stuck`).waitFor();
    expect(new URL(page.url()).searchParams.get('app')).toBe(service.app.appId);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('button', { name: 'Previous page', disabled: false }).waitFor();

    await page.getByRole('button', { name: 'Push all of these…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Push many jobs' });
    await dialog.getByText(`${MANY} jobs will be pushed. Of these, ${MANY} revokes had failed for good.`).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Push them' }).click();
    const pushed = page.getByRole('group', { name: 'Pushed' });
    await pushed.getByText(`all have been tried after`).first().waitFor();
    expect(await pushed.innerText()).toContain(`: ${MANY} settled.`);
    await page.getByText('Nothing is left on this page').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('who may only read is told why a push is not theirs', async ({ service, newPerson, visit, expect }) => {
    const { page, complaints } = visit;
    const { revokeJobId, mend } = await stuckRevoke(service, newPerson());
    await page.goto(`${visit.console}/jobs/${revokeJobId}`);
    await signIn(page, await newToken(service, 'VIEWER'));
    const push = card(page).getByRole('button', { name: 'Push now' });
    expect(await push.getAttribute('aria-disabled')).toBe('true');
    await push.hover();
    await page.getByRole('tooltip').getByText('This takes the role OPERATOR; you are signed in as VIEWER.').waitFor();
    mend();
    expect(complaints).toEqual([]);
  });

  test('whose session ends signs in again and is where they were', async ({
    service,
    visit: { page, console: url },
    expect,
  }) => {
    const token = await newToken(service, 'VIEWER');
    await page.goto(`${url}/connections`);
    await signIn(page, token);
    await page.getByRole('heading', { name: 'Connections' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Connections' }).waitFor();
    await service.database.sql`delete from admin_session`;
    await page.getByText('Your session has ended.').waitFor(); // By itself: the list is read again and again.
    await signIn(page, token);
    await page.getByRole('heading', { name: 'Connections' }).waitFor();
    expect(page.url()).toBe(`${url}/connections`);
    const signOut = async () => {
      await page.getByRole('button', { name: 'viewer menu' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    const unreachable = (route: Route) => route.abort();
    await page.route('**/api/admin/**', unreachable);
    await page.getByLabel('Find by id').fill(randomUUID());
    await page.keyboard.press('Enter');
    await page.locator('.mantine-Notification-root').getByText('The api did not answer.').waitFor(); // Not: it is not there.
    await signOut();
    await page.getByText('You are still signed in').waitFor();
    await page.unroute('**/api/admin/**', unreachable);
    await signOut();
    await page.getByLabel('Admin token').waitFor();
    expect(await service.database.sql`select from admin_session`).toHaveLength(0);
  });
});

describe.skipIf(findChromium() === undefined)('an admin', () => {
  test('sets an app up, step by step, and has a first request that works', async ({ service, visit, expect }) => {
    const { page, complaints } = visit;
    await page.goto(`${visit.console}/apps/new`);
    await signIn(page, await newToken(service, 'ADMIN'));
    const submit = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.getByLabel('Name').fill('Lighthouse Bakery');
    await submit('Make the app');
    await page.getByLabel('Tenant key').fill('main');
    await submit('Add the tenant');
    await page.getByLabel('Return URL').fill('http://app.example/back');
    await submit('Add the return URL');
    await page.getByRole('alert').getByText(/https/i).waitFor();
    await page.getByLabel('Return URL').fill('https://app.example/back');
    await submit('Add the return URL');
    await page.getByRole('group', { name: 'Capabilities at PROVIDER_B' }).getByLabel('profile').check();
    // Whoever leaves in the middle comes back to where they were.
    await submit('Set the policy');
    await page.getByText('By which client of ours?').waitFor();
    await page.reload();
    await page.getByLabel('Registration at PROVIDER_B').first().waitFor();
    await submit('Have these serve the app');
    await page.getByText('A key for its backend').waitFor();
    // The key is issued and its answer lost: sent again, the same request makes no second one.
    const graphql = '**/api/admin/graphql';
    await page.route(graphql, async (request) => {
      if (request.request().postData()?.includes('issueKey') !== true) return await request.fallback();
      await request.fetch();
      return await request.abort();
    });
    await submit('Issue the key');
    await page.getByText('it may have been done or not').waitFor();
    await page.unroute(graphql);
    await submit('Issue the key');
    await page.getByText('the answer that showed it was lost').waitFor();
    expect(
      await service.database.sql`
      select from app_key join app using (app_id) where app.name = 'Lighthouse Bakery'
    `,
    ).toHaveLength(1);
    await submit('Issue the key');
    await page.getByText('It can connect accounts at every provider of its policy.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    const command = await page.getByRole('group', { name: 'A first request' }).innerText();
    await submit('I have put it away');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await page.getByLabel('New tenant').fill('second');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'second', exact: true }).waitFor();
    expect(await page.content()).not.toContain(/Bearer [\w-]+\.(\w+)/.exec(command)?.[1]);

    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    const { data } = JSON.parse(stdout);
    expect(data.integrationReadiness.providers).toContainEqual(
      expect.objectContaining({ provider: 'PROVIDER_B', available: true }),
    );
    expect(complaints).toEqual(['Failed to load resource: net::ERR_FAILED']); // The answer that was lost.
  });

  test('keeps what was read and what was typed while the api is out of reach', async ({
    service,
    visit: { page, console: url },
    expect,
  }) => {
    await page.goto(`${url}/apps`);
    await signIn(page, await newToken(service, 'ADMIN'));
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'In numbers' }).waitFor();
    await page.route('**/api/admin/**', (request) => request.abort());
    await page.getByText('this page goes on trying by itself').waitFor();
    expect(await page.getByRole('heading', { name: 'In numbers' }).isVisible()).toBe(true);

    await page.getByRole('link', { name: 'Apps' }).click();
    await page.getByRole('link', { name: 'Set up an app' }).click();
    await page.getByLabel('Name').fill('Typed once');
    await page.getByRole('button', { name: 'Make the app' }).click();
    await page.getByText('it may have been done or not').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Typed once');
    await page.unroute('**/api/admin/**');
    await page.getByRole('button', { name: 'Make the app' }).click();
    await page.getByRole('heading', { name: 'Whose users are they?' }).waitFor();

    // The code of a page that has not been opened yet may be gone: a newer build has taken its place.
    await page.route('**/admin/assets/**', (request) => request.abort());
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'In numbers' }).waitFor();
  });

  test('reads how many connections a pause touches before it is done', async ({
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
    await page.getByRole('button', { name: 'Pause…' }).click();
    const dialog = page.getByRole('dialog', { name: `Pause “${registration?.label}”` });
    await dialog.getByText('1 connection cannot be read after it; 0 open jobs').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(await pausedAt()).toBeNull();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Pause…');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText(/^paused for/).waitFor();
    expect(await pausedAt()).not.toBeNull();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('in use').waitFor();
    expect(await pausedAt()).toBeNull();
    const urls = await page.getByRole('table', { name: 'URLs to be entered at the platform' }).innerText();
    expect(urls).toContain(`/api/platform/provider-c/${registration?.registrationId}/data-deletion`);

    await page.getByRole('link', { name: 'Audit log' }).click();
    const paused = page.getByRole('row', { name: 'pauseRegistration' }).first();
    await paused.getByRole('link', { name: /^A ADMIN [0-9a-f]{8}$/ }).click();
    await page.getByRole('textbox', { name: 'Who' }).and(page.locator('[value^="token:"]')).waitFor();
    const named = page.getByRole('link', { name: /^A \w+ [0-9a-f]{8}$/ });
    await vi.waitUntil(async () => new Set(await named.allInnerTexts()).size === 1, SOON);
    expect(await named.count()).toBeGreaterThanOrEqual(2);
    expect(complaints).toEqual([]);
  });

  test('is refused a daily quota out of range, and nothing is stored in its place', async ({
    service,
    visit: { page, console: url },
    expect,
  }) => {
    const [{ registrationId } = {}] = await service.database.sql`
      select registration_id from registration where provider = 'PROVIDER_A'
    `;
    await page.goto(`${url}/registrations/${registrationId}`);
    await signIn(page, await newToken(service, 'ADMIN'));
    const save = page.locator('form', { has: page.getByLabel('Units a day') }).getByRole('button', { name: 'Save' });
    await page.getByLabel('Units a day').fill('-5');
    await save.click();
    await page.getByText(/^(That did not work|Saved\.)/).waitFor();
    expect(await service.database.sql`select from registration where daily_quota is not null`).toEqual([]);
  });

  test('meets no barrier on any page, light or dark, on a phone or a desk', async ({
    service,
    newPerson,
    visit: { page, complaints, console: url },
    expect,
  }) => {
    const { connectionId, revokeJobId, mend } = await stuckRevoke(service, newPerson());
    await page.goto(url);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    const faults = await faultsOf(page);
    await signIn(page, await newToken(service, 'ADMIN'));
    const { appId } = service.app;
    const [registration] = await service.database.sql`select registration_id, label from registration limit 1`;
    const places: readonly [path: string, title: string][] = [
      ['', 'Overview'],
      ['/jobs?stuck=true', 'Work'],
      [`/jobs/${revokeJobId}`, 'Revoke at PROVIDER_B'],
      ['/connections', 'Connections'],
      [`/connections/${connectionId}`, 'Connection at PROVIDER_B'],
      ['/attempts', 'Attempts'],
      ['/people', 'People'],
      ['/disconnects', 'Disconnects of many'],
      ['/apps', 'Apps'],
      [`/apps/${appId}`, 'Harbour Kitchen'],
      ['/apps/new', 'Set up an app'],
      ['/registrations', 'Registrations'],
      [`/registrations/${registration?.registrationId}`, registration?.label],
      ['/issuers', 'Sign-in issuers'],
      ['/audit', 'Audit log'],
      ['/tokens', 'Admin tokens'],
      ['/nowhere', 'There is no such page'],
    ];
    for (const [path, title] of places) {
      await page.evaluate(`history.pushState(null, '', '/admin${path}')`);
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
      faults.push(...(await faultsOf(page)));
    }
    mend();
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

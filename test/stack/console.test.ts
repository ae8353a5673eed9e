import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, vi } from 'vitest';
import { stretch } from '../kit/busy.ts';
import { findChromium } from '../kit/chromium.ts';
import { complaintsOf, faultsOf } from '../kit/page-faults.ts';
import { stackTest } from '../kit/stack.ts';
import { newToken, operator, signIn } from './operator.ts';
import { stuckRevoke } from './stuck-revoke.ts';

const SOON = { interval: 20 };
/** For an operator on call, from the sign-in to a settled revoke. */
const MAX_SETTLE_MS = 60_000;
const TEMPORAL_UI_URL = 'http://temporal.test';

const test = stackTest({ adjustments: { TEMPORAL_UI_URL } }).extend(
  'visit',
  async ({ service, browser }, { onCleanup }) => {
    const page = await browser.newPage({ acceptDownloads: true });
    onCleanup(() => page.close());
    return { page, complaints: complaintsOf(page), console: `${service.apiUrls[0]}/admin` };
  },
);

const card = (page: Page) => page.getByRole('article', { name: 'Revoke at TikTok' }).first();
/** Presses Tab until the button of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).waitFor();
  await vi.waitUntil(async () => {
    await page.keyboard.press('Tab');
    return (await page.evaluate('document.activeElement.ariaLabel')) === name;
  }, SOON);
}

describe.skipIf(findChromium() === undefined)('an operator on call', () => {
  test('finds a stuck revoke, reads the reason, retries it and sees it settle', async ({
    service,
    person,
    visit: { page, complaints, console: url },
    expect,
  }) => {
    const { account, connectionId, endOutage } = await stuckRevoke(service, await operator(service), person);
    await page.goto(url);
    const startedAt = performance.now();
    await signIn(page, await newToken(service, 'OPERATOR'));
    await card(page)
      .getByText(/^stuck for /)
      .waitFor();
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe('1 revoke stuck');
    expect(await card(page).innerText()).toMatch(
      /Reason: The provider answered with HTTP 503\. The job retries\. PROVIDER_UNAVAILABLE\s+Failed once, on .* Next try in (49|50) min/,
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
      .getByText(
        /^The retry succeeded after [\d.]+ s: access at the provider is revoked\. After \d failed tries \(HTTP 503\)\.$/,
      )
      .waitFor();
    expect(performance.now() - startedAt).toBeLessThan(stretch(MAX_SETTLE_MS));
    expect(person.liveGrants(account)).toEqual([]);
    await page.getByRole('heading', { name: 'No stuck jobs' }).waitFor();
    expect(await page.evaluate('document.activeElement.innerText')).toMatch(/^The retry succeeded after/);

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
    expect(await page.content()).not.toContain(/Bearer [\w-]+\.(\w+)/.exec(command)?.[1]);

    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    const { data } = JSON.parse(stdout);
    expect(data.integrationReadiness.providers).toContainEqual(
      expect.objectContaining({ provider: 'PROVIDER_B', available: true }),
    );
    expect(complaints).toEqual(['Failed to load resource: net::ERR_FAILED']); // The lost answer.
  });

  test('erases a person after typing their id, and finds the receipt', async ({
    service,
    person,
    visit: { page, complaints, console: url },
    expect,
  }) => {
    const { connectionId } = await person.connect('PROVIDER_B', person.account('PROVIDER_B', /./));
    await person.synced(connectionId);
    const { tenantKey, externalSubjectId } = person.scope;
    await page.goto(`${url}/erasures`);
    await signIn(page, await newToken(service, 'ADMIN'));
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'People' }).click();
    await page.getByRole('combobox', { name: 'App' }).fill('harbour');
    await page.getByRole('option', { name: service.app.appId.slice(0, 8) }).click();
    await page.getByRole('combobox', { name: 'Tenant' }).fill(tenantKey);
    await page.getByRole('textbox', { name: 'Subject' }).fill(externalSubjectId);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByRole('link', { name: String(connectionId).slice(0, 8) }).waitFor();
    await page.getByRole('button', { name: 'Erase this person…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase this person' });
    const confirm = dialog.getByRole('button', { name: 'Erase permanently' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(/^Type “/).fill(externalSubjectId.slice(0, 8));
    await confirm.click();
    const title = page.getByRole('heading', { level: 1, name: 'Erasure of a person' });
    await title.waitFor();
    const receipt = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByRole('link', { name: 'Erasure receipts' }).click();
    await page.getByRole('link', { name: receipt.slice(0, 8) }).click();
    await title.waitFor();
    await page.getByText(/^(In progress|Complete)/).waitFor();

    expect(complaints).toEqual([]);
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

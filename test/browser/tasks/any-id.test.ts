import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { findChromium } from '../../kit/chromium.ts';
import { lastDays, PERMISSIONS, type Person } from '../../kit/person.ts';
import type { TestService } from '../../kit/service.ts';
import { operator as adminOf } from '../../stack/operator.ts';
import { taskTest } from './stage.ts';

const test = taskTest();

/** Everything that a caller, a person or a log can hold of one person's connection, and the page that it must open. */
async function listIds(service: TestService, person: Person) {
  const { sql } = service.database;
  const admin = await adminOf(service);
  const account = person.account('PROVIDER_B', /^250 posts/);
  const endpoint = await admin(
    'mutation ($i: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $i) { endpoint { id } } }',
    { i: { appId: service.app.appId, url: `http://127.0.0.1:9/${randomUUID()}` } },
  );
  const endpointId = endpoint.createWebhookEndpoint.endpoint.id;
  const session = await person.createSession('PROVIDER_B');
  const consent = await person.launch(session);
  await person.agree(consent, account, PERMISSIONS.PROVIDER_B);
  const { connectionId } = await person.finished(session.id);
  await person.synced(connectionId);
  const { sendTestWebhook: delivery } = await admin('mutation ($id: ID!) { sendTestWebhook(id: $id) { id eventId } }', {
    id: endpointId,
  });
  const [post] = await person.posts(connectionId, lastDays(30), 1);
  const { profile } = await person.connection(connectionId);
  // Of an attempt that came to nothing yet: of one that did, the reference finds its jobs, too.
  const begun = await person.createSession('PROVIDER_A');
  await person.launch(begun);
  const usedTwice = await person.launch(begun, person.newBrowser());
  const reference = /<code title="([0-9a-f-]{36})">/.exec(usedTwice.html)?.[1];
  const signIn = await person.createSignIn();
  // Its usual name is that of an account, too.
  await sql`update app set name = 'Corner Bakery' where app_id = ${service.app.appId}`;
  const [row] = await sql`
    select g.grant_id, g.registration_id, r.client_id, r.label,
      (select job_id from read_job j where j.connection_id = g.connection_id and kind = 'SCAN' limit 1) as job_id,
      (select name from app where app_id = ${service.app.appId}) as app_name
    from account_grant g join registration r using (registration_id) where g.connection_id = ${connectionId}
  `;
  const [token] = await sql`select token_id, label from admin_token order by created_at desc limit 1`;
  const atConnection = `/connections/${connectionId}`;
  return [
    ['the id of a connection', connectionId, atConnection],
    ['the subject of a person', person.scope.externalSubjectId, '/people'],
    ['the subject, from JSON', `"${person.scope.externalSubjectId}",`, '/people'],
    ['the platform’s id of the account', account, atConnection],
    ['the handle of the account', profile.handle && `@${profile.handle}`, atConnection],
    ['the profile URL of the account', `https://www.tiktok.com/@${profile.handle}?lang=en`, atConnection],
    ['the id of a post', post?.id, atConnection],
    ['the URL of a post', post?.canonicalUrl, atConnection],
    ['the id of a grant', row?.grantId, atConnection],
    ['the id of a job', row?.jobId, `/jobs/${row?.jobId}`],
    ['the id of a workflow', `scan/${row?.jobId}`, `/jobs/${row?.jobId}`],
    ['the id of an attempt', session.id, `/attempts/${session.id}`],
    ['the reference of an error page', reference, `/attempts/${begun.id}`],
    ['the id of a sign-in', signIn.id, `/sign-ins/${signIn.id}`],
    ['the id of a webhook event', delivery.eventId, `/webhooks/deliveries/${delivery.id}`],
    ['the id of a delivery', delivery.id, `/webhooks/deliveries/${delivery.id}`],
    ['the id of a webhook endpoint', endpointId, `/webhooks/${endpointId}`],
    ['the id of an OAuth client', row?.clientId, `/registrations/${row?.registrationId}`],
    ['the id of a registration', row?.registrationId, `/registrations/${row?.registrationId}`],
    ['the id of an app', service.app.appId, `/apps/${service.app.appId}`],
    ['the name of an app', row?.appName, `/apps/${service.app.appId}`],
    ['the beginning of an admin token', token?.tokenId.slice(0, 8), '/tokens'],
  ] as const;
}

describe.skipIf(findChromium() === undefined)('an operator', () => {
  test('gets from any id or name to its page by a paste alone', async ({ service, newPerson, operator, expect }) => {
    // A second person with another account: nothing leads to them.
    const other = newPerson();
    const { connectionId: otherId } = await other.connect('PROVIDER_B', other.account('PROVIDER_B', /^(?!250 posts)/));
    const ids = await listIds(service, newPerson());
    await operator.signIn(service, 'VIEWER');
    for (const [what, text, path] of ids) {
      expect(text, what).toEqual(expect.any(String));
      await operator.page.evaluate(`history.pushState(null, '', '/admin/erasures')`); // Without loading the console anew.
      await operator.title('Erasure receipts').waitFor();
      operator.begin('open the page of anything');
      await operator.paste(String(text));
      await operator.page.waitForURL((url) => !url.pathname.endsWith('/erasures'));
      expect([what, operator.path], what).toEqual([what, path]);
      await expect.poll(() => operator.page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
      operator.end();
      expect(operator.page.url()).not.toContain(otherId);
    }
    // Neither a person nor an account is named in the URL.
    expect(operator.page.url()).not.toContain('subject-');
  });

  test('sees a mistyped word before “nothing is stored”', async ({ service, newPerson, operator, expect }) => {
    const person = newPerson();
    const { connectionId } = await person.connect('PROVIDER_B', person.account('PROVIDER_B', /./));
    const { tenantKey, externalSubjectId } = person.scope;
    await operator.signIn(service, 'ADMIN', '/people');
    const { page } = operator;
    await page.getByRole('combobox', { name: 'App' }).fill('harbour');
    await page.getByRole('option', { name: service.app.appId.slice(0, 8) }).click();
    const lookUp = async (tenant: string, subject: string) => {
      await page.getByRole('combobox', { name: 'Tenant' }).fill(tenant);
      await page.getByRole('textbox', { name: 'Subject' }).fill(subject);
      await page.getByRole('button', { name: 'Look up' }).click();
    };
    await lookUp(`${tenantKey}x`, externalSubjectId);
    await page.getByRole('alert').getByText('This tenant does not exist').waitFor();
    expect(await page.getByRole('button', { name: 'Erase this person…' }).count()).toBe(0);
    await page.getByRole('button', { name: tenantKey, exact: true }).waitFor(); // The same subject is there.
    await lookUp(tenantKey, `${externalSubjectId}x`);
    await page.getByRole('alert').getByText('Nothing is stored under this subject').waitFor();
    expect(await page.getByRole('button', { name: 'Erase this person…' }).count()).toBe(0);
    await lookUp(tenantKey, externalSubjectId);
    await page.getByRole('link', { name: connectionId.slice(0, 8) }).waitFor();
    await page.getByRole('button', { name: 'Erase this person…' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: connectionId.slice(0, 8) }).waitFor();
    // A search finds another person while the page is open: the form names the person whose data the buttons export and erase.
    const other = newPerson();
    await other.connect('PROVIDER_B', other.account('PROVIDER_B', /^(?!250 posts)/));
    await operator.paste(other.scope.externalSubjectId);
    await page.getByRole('heading', { name: `Stored data of ${other.scope.externalSubjectId}` }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe(other.scope.externalSubjectId);
    expect(page.url()).not.toContain(externalSubjectId);
    // A new tab knows only the URL.
    await page.goto(`${operator.console}/connections/${connectionId}`);
    const url = await page.getByRole('link', { name: externalSubjectId }).getAttribute('href');
    await page.goto(new URL(String(url), page.url()).href);
    await page.getByRole('heading', { name: `Stored data of ${externalSubjectId}` }).waitFor();
  });
});

import { describe } from 'vitest';
import { findChromium } from '../../kit/chromium.ts';
import type { TestService } from '../../kit/service.ts';
import { operator as adminOf } from '../../stack/operator.ts';
import { connect, type Operator, taskTest } from './stage.ts';

const test = taskTest();

/** The state that the page of a thing shows, and its meaning. */
async function stateAt(operator: Operator, path: string, label: string | RegExp): Promise<void> {
  await operator.page.evaluate(`history.pushState(null, '', '/admin${path}')`); // Without loading the console anew.
  await operator.page.getByText(path.replace(/.*\//, ''), { exact: true }).first().waitFor();
  await operator.page
    .locator('.mantine-Badge-root')
    .getByText(label, { exact: typeof label === 'string' })
    .first()
    .waitFor();
}

async function registrationOf({ database: { sql } }: TestService, provider: string): Promise<string> {
  const [row] =
    await sql`select registration_id from registration where provider = ${provider} order by created_at limit 1`;
  return String(row?.registrationId);
}

describe.skipIf(findChromium() === undefined)('the console says', () => {
  test('of a revoke at a platform without one that it is left to the person, and counts it so', async ({
    service,
    person,
    operator,
    expect,
  }) => {
    const { connectionId } = await connect(person, 'PROVIDER_C');
    const { revoke } = await person.disconnect(connectionId);
    expect(revoke).toMatchObject({ status: 'SUCCEEDED', creatorAction: 'REMOVE_APP_AT_PROVIDER' });
    await operator.signIn(service, 'VIEWER');
    await stateAt(operator, `/jobs/${revoke.id}`, 'left to the person');
    await operator.page.getByText('The person still sees the app there, until they remove it.').first().waitFor();
    await operator.page.goto(`${operator.console}/trends?provider=PROVIDER_C`);
    const revokes = operator.page.getByRole('region', { name: 'Revokes' });
    await revokes.getByText('1 left to the person', { exact: true }).waitFor();
    await revokes.getByText('0 revoked, or ended before', { exact: true }).waitFor();
    await revokes.getByText('0 failed or canceled', { exact: true }).waitFor();
  });

  test('of a client whether it was tried, before the first person finds it wrong', async ({ service, operator }) => {
    const admin = await adminOf(service);
    const { createRegistration } = await admin(
      'mutation ($i: CreateRegistrationInput!) { createRegistration(input: $i) { id } }',
      { i: { provider: 'PROVIDER_B', label: 'Mistyped', clientId: 'wrong-client', clientSecret: 'sekret' } },
    );
    await operator.signIn(service, 'OPERATOR');
    await stateAt(operator, `/registrations/${createRegistration.id}`, 'not tried yet');
    operator.begin('notice a wrong client before the first person does');
    await operator.paste('wrong-client');
    await operator.click(operator.page.getByRole('button', { name: 'Test this client' }));
    await operator.page.getByRole('status').getByText('TikTok refuses this client').waitFor();
    operator.end();
    await operator.page.getByText(/^rejected by the provider for /).waitFor();
    await operator.page.getByRole('status').getByText('Calls wait, and apps get FORBIDDEN for new connects.').waitFor();
    // An operator may use it again. Its effect is not known yet.
    await admin('mutation ($id: ID!) { retryRegistration(id: $id) { id } }', { id: createRegistration.id });
    await operator.page.evaluate(`window.dispatchEvent(new Event('focus'))`);
    await operator.page.locator('.mantine-Badge-root').getByText('not confirmed', { exact: true }).waitFor();
    await operator.page.getByRole('status').getByText('get FORBIDDEN for new connects').waitFor({ state: 'detached' });
  });

  test('of a job that waits for a refused client which one it is', async ({ service, newPerson, operator, expect }) => {
    const { sql } = service.database;
    const person = newPerson();
    const { connectionId } = await connect(person, 'PROVIDER_B');
    const { revoke } = await person.disconnect(connectionId);
    const registrationId = await registrationOf(service, 'PROVIDER_B');
    await sql`
      update disconnect_job set status = 'RUNNING', finished_at = null, tries = 2, last_failure = 'PROVIDER_UNAVAILABLE',
        last_answer = 'HTTP_401', last_tried_at = business_now(), first_failed_at = business_now() - interval '1 hour',
        next_retry_at = business_now() + interval '1 hour'
      where job_id = ${revoke.id}
    `;
    await sql`
      update registration set rejected_at = business_now(), client_probed_at = business_now(),
        rejection_answer = 'HTTP_401', rejection_answer_code = 'invalid_client'
      where registration_id = ${registrationId}
    `;
    await operator.signIn(service, 'VIEWER');
    for (const path of [`/jobs/${revoke.id}`, '/jobs']) {
      await operator.page.goto(`${operator.console}${path}`);
      await operator.page
        .getByText(/The platform refuses our client: HTTP 401 invalid_client\./)
        .first()
        .waitFor();
      expect(await operator.page.locator(`main a[href$="/registrations/${registrationId}"]`).count()).toBe(1);
    }
    // No one is connected through it, but an app uses it.
    await operator.page.goto(operator.console);
    await operator.page
      .getByRole('table', { name: 'What needs attention' })
      .getByRole('link', { name: /^TikTok refuses our client/ })
      .waitFor();
    // A refusal that is over stays for a while, and a worker that is silent.
    await sql`
      update registration set rejected_at = null, refused_from = rejected_at - interval '9 minutes', refused_until = business_now()
      where registration_id = ${registrationId}
    `;
    await sql`
      insert into worker_presence (worker_id, name, seen_at, place)
      select gen_random_uuid(), 'frozen:8081', now() - interval '2 minutes',
        concat_ws('/', (select system_identifier from pg_control_system()), oid)
      from pg_database where datname = current_database()
    `;
    await operator.page.goto(operator.console);
    const tikTok = operator.page.getByRole('article', { name: 'TikTok' });
    await tikTok.getByText(/^Refused our client from .* to /).waitFor();
    await operator.page.getByRole('table', { name: 'Worker processes' }).getByText('frozen:8081 is silent').waitFor();
    await operator.page.goto(`${operator.console}/registrations/${registrationId}`);
    await operator.page.getByText('Last refused').waitFor();
    await sql`update disconnect_job set status = 'SUCCEEDED', finished_at = business_now() where job_id = ${revoke.id}`;
  });

  test('that no worker runs the jobs, and how an endpoint failed that works again', async ({ service, operator }) => {
    const admin = await adminOf(service);
    const { createWebhookEndpoint } = await admin(
      'mutation ($i: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $i) { endpoint { id } } }',
      { i: { appId: service.app.appId, url: 'http://127.0.0.1:9/hooks' } },
    );
    await service.database.sql`
      update webhook_endpoint set failed_from = business_now() - interval '9 minutes', failed_until = business_now(),
        failed_tries = 9, failed_answer = 'HTTP_500' where endpoint_id = ${createWebhookEndpoint.endpoint.id}
    `;
    await operator.signIn(service, 'VIEWER');
    const past = /^9 tries failed between .* and .* \(HTTP 500\)\.$/;
    const webhooks = operator.page.getByRole('article', { name: 'Webhooks' });
    await webhooks.getByText(past).waitFor();
    await webhooks.getByRole('link', { name: '127.0.0.1:9' }).click();
    await operator.page.getByRole('heading', { name: 'Webhook endpoint' }).waitFor();
    await operator.page.getByText(past).waitFor();
    await operator.page.route('**/api/admin/graphql', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"workers":"ANSWERING"', '"workers":"SILENT"');
      await route.fulfill({ response, body });
    });
    await operator.page.goto(`${operator.console}/jobs`);
    await operator.page
      .getByRole('status')
      .getByText(/^No worker has answered since .*: open jobs wait/)
      .waitFor();
  });
});

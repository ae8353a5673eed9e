import { describe, vi } from 'vitest';
import { findChromium } from '../../kit/chromium.ts';
import { operator as adminOf } from '../../stack/operator.ts';
import { connect, taskTest } from './stage.ts';

const test = taskTest();
const SOON = { interval: 50 };

// In a file of its own: requests that other tests leave refused or waiting count here.
describe.skipIf(findChromium() === undefined)('the console says', () => {
  test('the failures of a platform with their reasons, and that another one is healthy', async ({
    service,
    newPerson,
    operator,
    expect,
  }) => {
    const { sandbox } = service;
    const people = [newPerson(), newPerson(), newPerson()];
    const connections = [];
    for (const person of people) connections.push({ person, ...(await connect(person, 'PROVIDER_B')) });
    await connect(newPerson(), 'PROVIDER_A');
    const { id: fault } = sandbox.control.addFault({
      provider: 'PROVIDER_B',
      route: 'revoke',
      what: { kind: 'status', status: 503, retryAfterSeconds: 3_000 },
      times: null,
    });
    const revokes: string[] = [];
    for (const { person, connectionId } of connections) {
      revokes.push((await person.ask('disconnectConnection', { connectionId })).revokeJobId);
    }
    await vi.waitUntil(async () => {
      const waiting = await service.database.sql`
        select from disconnect_job where job_id = any(${revokes}) and next_retry_at is not null
      `;
      return waiting.length === revokes.length;
    }, SOON);
    await operator.signIn(service, 'OPERATOR', '/jobs?stuck=true');
    await operator.page.getByText('No job is stuck, 3 retrying after a failed try.').waitFor();
    await operator.page.getByLabel('Find by id').press('Tab');
    expect(await operator.page.evaluate('document.activeElement.className')).toMatch(/\buser\b/);
    // They are stuck once they have failed for 15 minutes.
    await service.database.sql`
      update disconnect_job set first_failed_at = first_failed_at - interval '20 minutes' where job_id = any(${revokes})
    `;
    await operator.page.goto(operator.console);
    const badge = (name: RegExp) => operator.page.getByRole('article', { name }).locator('.mantine-Badge-root');
    await badge(/^TikTok/)
      .getByText('Failing')
      .waitFor();
    await operator.page
      .getByRole('article', { name: /^TikTok/ })
      .getByText(/^\d of \d open jobs wait after a failed try\.$/)
      .waitFor();
    await operator.page.getByRole('link', { name: '3 revokes', exact: true }).waitFor();
    await badge(/^YouTube/)
      .getByText('Healthy')
      .waitFor();
    // Whose it is, and whether the platform answered, without a click.
    const card = operator.page.getByRole('article', { name: /^Revoke at TikTok/ }).first();
    expect(await card.innerText()).toMatch(/subject “subject-.*account .*connection [0-9a-f]{8}/);
    expect(await card.innerText()).toMatch(/The provider answered with HTTP 503\./);
    sandbox.control.removeFault(fault);
    for (const jobId of revokes) {
      await (await adminOf(service))('mutation ($id: ID!) { retryJob(id: $id) { id } }', { id: jobId });
    }
    await badge(/^TikTok/)
      .getByText('Failing')
      .waitFor({ state: 'detached' });
  });
});

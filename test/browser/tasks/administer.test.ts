import { describe, vi } from 'vitest';
import { findChromium } from '../../kit/chromium.ts';
import { faultsOf } from '../../kit/page-faults.ts';
import type { TestService } from '../../kit/service.ts';
import { openReceiver } from '../../kit/webhook-receiver.ts';
import { operator as adminOf } from '../../stack/operator.ts';
import { addEndpoint } from '../../stack/webhook-endpoint.ts';
import { taskTest } from './stage.ts';

const test = taskTest({ adjustments: { INSTALLATION_NAME: 'Staging', INSTALLATION_COLOR: 'orange' } });
const SOON = { interval: 50 };

async function newApp(service: TestService, name: string): Promise<string> {
  const admin = await adminOf(service);
  const { createApp } = await admin('mutation ($n: String!) { createApp(input: { name: $n }) { id } }', { n: name });
  return createApp.id;
}

describe.skipIf(findChromium() === undefined)('a task at the console', () => {
  test('“we never got event X”: its tries, answers and body', async ({ service, operator, expect }) => {
    const receiver = await openReceiver();
    try {
      receiver.answer((response) => void response.writeHead(503).end());
      const { endpointId } = await addEndpoint(service, receiver.url, ['connection.connected']);
      const admin = await adminOf(service);
      const send = async () =>
        (await admin('mutation ($id: ID!) { sendTestWebhook(id: $id) { id eventId } }', { id: endpointId }))
          .sendTestWebhook;
      const [delivery] = [await send(), await send()];
      await vi.waitUntil(() => receiver.ids().includes(delivery.eventId), SOON);
      await operator.signIn(service, 'OPERATOR', `/webhooks/${endpointId}`);
      const { page } = operator;
      operator.begin('read why an event did not arrive');
      await operator.click(
        page
          .getByRole('row', { name: delivery.eventId.slice(0, 8) })
          .getByRole('link')
          .first(),
      );
      await operator.title('Delivery of webhook.test').waitFor();
      const tries = page.getByRole('list', { name: 'What happened to this delivery' });
      await tries.getByText('HTTP 503', { exact: true }).first().waitFor();
      expect(await tries.innerText()).toMatch(/\d+ ms/);
      expect(await page.getByRole('group', { name: 'Body of the event' }).innerText()).toContain(delivery.eventId);
      expect(await page.content()).toContain(delivery.id);
      operator.end();
      expect(operator.path).toBe(`/webhooks/deliveries/${delivery.id}`);
      // Sent again, it has the new answer, and the old try stays in the history.
      receiver.answer((response) => void response.writeHead(204).end());
      await operator.click(page.getByRole('button', { name: 'Send again' }));
      await tries.getByText('HTTP 204', { exact: true }).first().waitFor();
      expect(await tries.getByText('HTTP 503', { exact: true }).count()).toBeGreaterThan(0);
      expect(await faultsOf(page)).toEqual([]);
    } finally {
      await receiver.close();
    }
  });

  test('revokes the right one of two keys, with its label, age and last use', async ({ service, operator, expect }) => {
    const admin = await adminOf(service);
    const id = await newApp(service, 'Quay');
    const issue = async (label: string | null) =>
      (
        await admin('mutation ($i: IssueKeyInput!) { issueKey(input: $i) { key { id } secret } }', {
          i: { appId: id, label },
        })
      ).issueKey;
    const [leaked, kept] = [await issue('Old vault'), await issue(null)];
    await operator.signIn(service, 'OPERATOR', `/apps/${id}#keys`);
    const { page } = operator;
    operator.begin('revoke the right one of two keys');
    await operator.click(page.getByRole('button', { name: 'Revoke…: Old vault' }));
    const dialog = page.getByRole('dialog', { name: 'Revoke “Old vault” of Quay' });
    const text = await dialog.innerText();
    expect(text).toContain(leaked.key.id);
    expect(text).toMatch(/Issued .+ ago\. Last used: never\./);
    expect(text).toContain('The other key keeps working.');
    await operator.click(dialog.getByRole('button', { name: 'Revoke', exact: true }));
    await page.getByText('Key revoked.').waitFor();
    operator.end();
    const rows = await service.database.sql`select key_id from app_key where app_id = ${id} and revoked_at is null`;
    expect(rows).toEqual([{ keyId: kept.key.id }]);
  });

  test('a key that is shown once, and a changed form, stay until saved', async ({ service, operator, expect }) => {
    const id = await newApp(service, 'Pier');
    await operator.signIn(service, 'ADMIN', '/apps');
    const { page } = operator;
    await page.getByRole('link', { name: /^Pier/ }).click();
    await page.getByRole('tab', { name: 'Keys' }).click();
    await page.getByLabel('Label').fill('Backend');
    await page.getByRole('button', { name: 'Issue key' }).click();
    const key = page.getByRole('group', { name: 'Key', exact: true });
    const secret = await key.innerText();
    const question = page.getByRole('dialog', { name: /^Leave without saving (the key|your changes)\?/ });
    const overview = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' });
    const tryToLeave = async (leave: () => Promise<unknown>) => {
      await leave();
      await question.getByRole('button', { name: 'Stay' }).click();
      await question.waitFor({ state: 'detached' });
      expect(operator.path).toBe(`/apps/${id}`);
    };
    await tryToLeave(() => overview.click());
    await tryToLeave(() => page.goBack());
    expect(await key.innerText()).toBe(secret);
    await page.getByRole('button', { name: "I've saved it" }).click();
    await key.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Pier 2');
    await tryToLeave(() => overview.click());
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Pier 2');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await overview.click();
    await operator.title('Overview').waitFor();
    expect(await page.title()).toContain('Staging');
    expect(await page.getByRole('banner').getByText('Staging').isVisible()).toBe(true);
  });
});

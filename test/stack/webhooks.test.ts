import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { describe, vi } from 'vitest';
import { findChromium, openChromium } from '../kit/chromium.ts';
import type { Answer } from '../kit/graphql.ts';
import { complaintsOf } from '../kit/page-faults.ts';
import type { TestService } from '../kit/service.ts';
import { stackTest } from '../kit/stack.ts';
import { startReceiver } from '../webhooks/receivers.ts';
import { operator } from './operator.ts';
import { connect, openStudio, signIn } from './studio.ts';

const SOON = { interval: 50 };
/** Shorter than the page's slow poll, so that only an event can have caused the update. */
const BY_EVENT = { timeout: 15_000 };

async function addEndpoint(
  { app }: TestService,
  run: (query: string, variables: object) => Promise<Answer>,
  url: string,
) {
  const { createWebhookEndpoint: added } = await run(
    'mutation ($i: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $i) { endpoint { id } secret } }',
    { i: { appId: app.appId, url } },
  );
  return { id: String(added.endpoint.id), secret: String(added.secret) };
}

/** Receives events and verifies each with Standard Webhooks' own library. Keeps the id, type and data of accepted events. */
async function startVerifier() {
  const events: { id: string; type: string; data: Readonly<Record<string, unknown>> }[] = [];
  const refused: unknown[] = [];
  let secret = '';
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    const headers = request.headers as Record<string, string>;
    try {
      const event = new Webhook(secret).verify(body, headers) as (typeof events)[number];
      events.push({ ...event, id: headers['webhook-id'] ?? '' });
    } catch (error) {
      refused.push(error);
    }
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    events,
    refused,
    expect: (of: string) => {
      secret = of;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const test = stackTest();

describe.skipIf(findChromium() === undefined)('webhooks', () => {
  test('update the pages of the example, and are verified by libraries that are not ours', async ({
    service,
    expect,
    onTestFinished,
  }) => {
    const run = await operator(service);
    const verifier = await startVerifier();
    onTestFinished(verifier.close);
    const npm = await addEndpoint(service, run, verifier.url);
    verifier.expect(npm.secret);
    const own = await addEndpoint(service, run, `http://localhost:${service.settings.ports.caller}/webhooks`);
    const studio = await openStudio(service, own.secret);
    onTestFinished(studio.close);
    const browser = await openChromium();
    onTestFinished(() => browser.close());
    const page = await (await browser.newContext()).newPage();
    const complaints = complaintsOf(page);
    await signIn(page, studio.publicUrl);
    await connect(page, 'TikTok', /Harbour Kitchen/);
    await page.locator('.post').first().waitFor();

    // The end of a scan arrives as an event: the page is not loaded again, and its slow poll comes later.
    await page.getByRole('button', { name: /^Refresh the posts/ }).click();
    await page.evaluate('globalThis.isSame = true');
    await page.locator('.progress').waitFor({ state: 'detached', ...BY_EVENT });
    expect(await page.evaluate('globalThis.isSame')).toBe(true);

    const python = await (async () => {
      const { id, secret } = await addEndpoint(service, run, 'http://127.0.0.1:9/');
      const receiver = await startReceiver('python', [secret]);
      onTestFinished(receiver.stop);
      await run('mutation ($id: ID!, $url: String!) { changeWebhookEndpoint(id: $id, url: $url) { id } }', {
        id,
        url: receiver.url,
      });
      return receiver;
    })();

    // A disconnect in another tab.
    const tab = await page.context().newPage();
    await tab.goto(`${page.url().replace(/\?.*$/, '')}/disconnect`);
    await tab.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Erased.', { exact: true }).waitFor(BY_EVENT);
    await page.getByText('Access revoked.', { exact: true }).waitFor();
    expect(complaints).toEqual([]);

    const types = () => verifier.events.map(({ type }) => type);
    await vi.waitUntil(() => types().includes('connection.erased'), SOON);
    for (const type of [
      'connect_session.finished',
      'connection.connected',
      'job.finished',
      'connection.disconnected',
    ]) {
      expect(types()).toContain(type);
    }
    await vi.waitUntil(() => python.lines().some((line) => line.startsWith('connection.erased ')), SOON);
    expect(verifier.refused).toEqual([]);
  });
});

import { createServer } from 'node:http';
import { describe } from 'vitest';
import {
  assertReturn,
  type ConnectSession,
  continueScan,
  createClient,
  eachConnection,
  eachContentItem,
  launchForm,
  ServiceError,
  waitForJob,
} from '../../clients/typescript/src/index.ts';
import { findChromium, openChromium } from '../kit/chromium.ts';
import { lastDays } from '../kit/person.ts';
import { stackTest } from '../kit/stack.ts';

async function toArray<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const array: Item[] = [];
  for await (const item of items) array.push(item);
  return array;
}

/** A caller's backend, written with the client alone: `/` starts an attempt, the return URL reads its result. */
const test = stackTest().extend('app', async ({ service, newPerson }, { onCleanup }) => {
  const { returnUrl, key, tenantKey } = service.app;
  const client = createClient({ url: `${service.apiUrls[0]}/graphql`, key });
  const scope = { tenantKey, externalSubjectId: newPerson().scope.externalSubjectId };
  const { origin, hostname, port } = new URL(returnUrl);
  let session: ConnectSession | undefined;

  async function answer(path: string): Promise<{ html: string; headers: Readonly<Record<string, string>> }> {
    if (path === '/favicon.ico') return { html: '', headers: {} };
    if (path === '/') {
      const capabilities = ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'] as const;
      session = await client.createConnectSession({
        input: { scope, provider: 'PROVIDER_B', capabilities, returnUrl },
      });
      return launchForm(session);
    }
    const id = assertReturn(path, session?.id);
    const { status, connectionId } = await client.connectSessionResult({ scope, id });
    return { html: `<h1>${status}</h1><output>${connectionId}</output>`, headers: { 'content-type': 'text/html' } };
  }

  const server = createServer((request, response) => {
    answer(request.url ?? '/').then(
      ({ html, headers }) => response.writeHead(200, headers).end(html),
      (error: Error) => response.writeHead(403).end(`<h1>${error.name}</h1>`),
    );
  });
  await new Promise<void>((resolve) => server.listen(Number(port), hostname, resolve));
  const browser = await openChromium();
  onCleanup(async () => {
    await browser.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { client, scope, url: `${origin}/`, returnUrl, page: await (await browser.newContext()).newPage() };
});

describe.skipIf(findChromium() === undefined)('a caller written with the client', () => {
  test('connects an account in a browser, reads all its posts, and disconnects it', async ({ app, expect }) => {
    const { client, scope, page } = app;
    await page.goto(app.url); // The form submits itself, within its Content-Security-Policy.
    await page.getByRole('radio', { name: /Harbour Kitchen/ }).check();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'COMPLETED' }).waitFor();
    const connectionId = await page.getByRole('status').innerText();

    const [connection] = await toArray(eachConnection(client, { scope, first: 1 }));
    expect(connection).toMatchObject({
      id: connectionId,
      status: 'CONNECTED',
      profile: { displayName: 'Harbour Kitchen 🦪' },
    });

    const window = lastDays(80);
    const scan = await continueScan(client, { scope, connectionId, window });
    expect(scan).toMatchObject({ status: 'SUCCEEDED', completeForWindow: true, continuationCursor: null });
    const posts = await toArray(eachContentItem(client, { scope, connectionId, window: { ...window, first: 50 } }));
    expect(posts.length).toBeGreaterThan(100);
    expect(new Set(posts.map(({ providerContentId }) => providerContentId)).size).toBe(posts.length);

    const { revokeJobId, eraseJobId } = await client.disconnectConnection({ scope, connectionId });
    for (const id of [revokeJobId, eraseJobId]) {
      expect(await waitForJob(client, { scope, connectionId, id })).toMatchObject({ status: 'SUCCEEDED' });
    }
    const gone = await client.connection({ scope, id: connectionId }).catch((error: unknown) => error);
    expect(gone).toBeInstanceOf(ServiceError);
    expect(gone).toMatchObject({ code: 'NOT_FOUND', correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  test('refuses a browser that returns from an attempt that it did not start', async ({ app, expect }) => {
    const { page, returnUrl } = app;
    await page.goto(`${returnUrl}?ss_session_id=0aa0d52a-7213-4d4e-8c93-094a834169fc`);
    expect(await page.getByRole('heading').innerText()).toBe('ReturnMismatchError');
  });
});

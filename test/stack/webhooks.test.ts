import { Webhook } from 'standardwebhooks';
import { describe, vi } from 'vitest';
import { findChromium } from '../kit/chromium.ts';
import { complaintsOf } from '../kit/page-faults.ts';
import { stackTest } from '../kit/stack.ts';
import { openReceiver } from '../kit/webhook-receiver.ts';
import { connect, openStudio, signIn } from './studio.ts';
import { addEndpoint } from './webhook-endpoint.ts';

/** Shorter than the page's slow poll, so that only an event can have caused the update. */
const BY_EVENT = { timeout: 15_000 };

const test = stackTest();

describe.skipIf(findChromium() === undefined)('webhooks', () => {
  test('update the pages of the example, and are verified by a library that is not ours', async ({
    service,
    browser,
    expect,
    onTestFinished,
  }) => {
    const receiver = await openReceiver();
    onTestFinished(receiver.close);
    const types = ['connection.connected', 'job.finished', 'receipt.settled', 'connection.erased'] as const;
    const { secret } = await addEndpoint(service, receiver.url, types);
    const own = await addEndpoint(service, `http://localhost:${service.settings.ports.caller}/webhooks`, types);
    const studio = await openStudio(service, own.secret);
    onTestFinished(studio.close);
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const complaints = complaintsOf(page);
    await signIn(page, studio.publicUrl);
    await connect(page, 'TikTok', /Harbour Kitchen/);
    await page.locator('.post').first().waitFor();

    // The end of a scan arrives as an event: the page is not loaded again, and its slow poll comes later.
    await page.getByRole('button', { name: /^Refresh the posts/ }).click();
    await page.evaluate('globalThis.isSame = true');
    await page.locator('.progress').waitFor({ state: 'detached', ...BY_EVENT });
    expect(await page.evaluate('globalThis.isSame')).toBe(true);

    await page.goto(`${page.url().replace(/\?.*$/, '')}/disconnect`);
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Erased.', { exact: true }).waitFor();
    await page.getByText('Access revoked.', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    const verify = ({ headers, body }: (typeof receiver.received)[number]) =>
      new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string };
    const isSent = (type: string) => receiver.received.some((one) => verify(one).type === type);
    await vi.waitUntil(() => types.every(isSent), { interval: 50 });
  });
});

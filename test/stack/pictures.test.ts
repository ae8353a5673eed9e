import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import { findChromium } from '../kit/chromium.ts';
import { stackTest } from '../kit/stack.ts';
import { newToken, operator, signIn as signInOperator } from './operator.ts';
import { stuckRevoke } from './stuck-revoke.ts';
import { connect, openStudio, signIn } from './studio.ts';

const test = stackTest();
/** It writes the pictures of the docs. `console.test.ts` opens the same pages. */
const isAsked = process.env.PICTURES === '1' && findChromium() !== undefined;

async function show(page: Page, name: string, what: Locator): Promise<void> {
  await what.waitFor();
  await page.getByRole('progressbar').waitFor({ state: 'hidden' });
  const place = path.join(ROOT, 'docs', 'images', `${name}.png`);
  const picture = await page.screenshot({ animations: 'disabled', path: place });
  expect(picture.length).toBeGreaterThan(10_000); // A blank page is smaller.
}

test.runIf(isAsked)(
  'the console shows what the pictures of the docs show',
  async ({ service, newPerson, browser, onTestFinished }) => {
    const { connectionId, endOutage } = await stuckRevoke(service, await operator(service), newPerson());
    onTestFinished(endOutage);
    const page = await browser.newPage({ viewport: { width: 1_200, height: 760 } });
    const console = `${service.apiUrls[0]}/admin`;
    await page.goto(console);
    await signInOperator(page, await newToken(service, 'ADMIN'));
    await show(page, 'console-overview', page.getByRole('button', { name: /^Retry/ }).first());
    await page.goto(`${console}/connections/${connectionId}`);
    await show(page, 'console-connection', page.getByRole('button', { name: /^Retry/ }).first());
  },
);

test.runIf(isAsked)('the example is shown as it is', async ({ service, browser, onTestFinished }) => {
  const studio = await openStudio(service);
  onTestFinished(studio.close);
  const page = await browser.newPage({ viewport: { width: 1_100, height: 780 } });
  onTestFinished(() => page.close());
  await signIn(page, studio.publicUrl);
  await connect(page, 'Instagram', /Night Desk/);
  await page.getByRole('link', { name: '30 days' }).click();
  await page.getByRole('button', { name: 'Refresh the posts of the last 30 days' }).click();
  await page.getByText('We have read all posts of the last 30 days.').waitFor();
  await page.reload({ waitUntil: 'networkidle' }); // Without the line that it is connected.
  await show(page, 'example', page.getByText('Totals of'));
});

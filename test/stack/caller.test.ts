import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { findChromium, openChromium } from '../kit/chromium.ts';
import { complaintsOf, faultsOf } from '../kit/page-faults.ts';
import { stackTest } from '../kit/stack.ts';
import { connect, openStudio, signIn } from './studio.ts';

const test = stackTest()
  .extend<{ $file: { studio: { publicUrl: string } } }>({
    studio: [
      async ({ service }, use) => {
        const { publicUrl, close } = await openStudio(service);
        await use({ publicUrl });
        await close();
      },
      { scope: 'file' },
    ],
  })
  .extend('scripts', true)
  .extend('visit', async ({ scripts }, { onCleanup }) => {
    const browser = await openChromium();
    onCleanup(() => browser.close());
    const page = await browser.newPage({ javaScriptEnabled: scripts });
    return { page, complaints: complaintsOf(page) };
  });

const progress = (page: Page) => page.locator('.progress');
const gone = { state: 'detached' } as const;
/** Of the periods that the page of an account offers. */
const chosenDays = (page: Page) => page.getByRole('navigation', { name: 'Days shown' }).locator('[aria-current]');
const DAY_MS = 86_400_000;

describe.skipIf(findChromium() === undefined)('the example caller in a real browser', () => {
  test('connects, reads and disconnects an account on pages without faults', async ({ studio, visit, expect }) => {
    const { page, complaints } = visit;
    const faults: string[] = [];
    const look = async () => faults.push(...(await faultsOf(page)));
    await signIn(page, studio.publicUrl);

    await connect(page, 'TikTok', /Harbour Kitchen/);
    await progress(page).waitFor(gone);
    await page.getByRole('heading', { name: 'Harbour Kitchen' }).waitFor();
    // Without a refresh: these are the days that the service reads of a new account automatically.
    await page.getByText('We have read all posts of the last 7 days.').waitFor();
    expect(await chosenDays(page).innerText()).toBe('7 days');
    expect(await page.locator('.post').count()).toBeGreaterThan(0);

    await page.getByRole('link', { name: '90 days' }).click();
    await page.getByRole('button', { name: 'Refresh the posts of the last 90 days' }).click();
    await page.getByText('There are more posts.').waitFor();
    await look();
    // 250 posts, up to 100 at a time.
    for (const left of [1, 0]) {
      const onward = page.getByRole('button', { name: 'Continue' });
      await onward.click();
      await progress(page).waitFor(gone);
      await expect.poll(() => onward.count()).toBe(left);
    }
    await page.getByText('We have read all posts of the last 90 days.').waitFor();
    await page.getByText('Totals of 2').waitFor(); // Of about 250 posts, not of the page's twelve.

    const [first, second] = [page.locator('.post h3').nth(0), page.locator('.post h3').nth(12)];
    expect(await second.count()).toBe(0);
    const newest = await first.innerText();
    const metrics = page.getByRole('navigation', { name: 'Metric in the chart' });
    await metrics.getByRole('link', { name: /^Likes/ }).click();
    await page.getByRole('group', { name: 'Likes by the day of publication' }).waitFor();
    await page.getByRole('link', { name: 'Older posts' }).click();
    await page.getByText('Page 2 of').waitFor();
    expect(await first.innerText()).not.toBe(newest);
    expect(await metrics.locator('[aria-current]').innerText()).toMatch(/^Likes/);
    await page.getByRole('link', { name: 'Newer posts' }).click();
    await page.getByText('Page 1 of').waitFor();
    expect(await first.innerText()).toBe(newest);

    // A bar leads to its posts, three days of them.
    const bar = page.getByRole('group', { name: 'Likes by the day of publication' }).getByRole('link').nth(1);
    const [, days, count] = /^(.+?): .+, (\d+) posts?$/.exec((await bar.getAttribute('aria-label')) ?? '') ?? [];
    await bar.click();
    await page.getByText(new RegExp(`^${count} posts? of ${days}$`)).waitFor();
    const start = Date.parse(new URL(page.url()).searchParams.get('bar') ?? '');
    const published = await Promise.all(
      (await page.locator('.post time').all()).map(async (time) => (await time.getAttribute('datetime')) ?? ''),
    );
    expect(published).toHaveLength(Math.min(Number(count), 12)); // One page.
    const outside = published.filter((at) => !(Date.parse(at) >= start && Date.parse(at) < start + 3 * DAY_MS));
    expect(outside).toEqual([]);
    await page.getByRole('link', { name: 'Show all posts' }).click();
    await page.getByText('Page 1 of').waitFor();

    await first.getByRole('link').click();
    await page.getByRole('heading', { name: 'Metrics' }).waitFor();
    await look();
    const postPath = new URL(page.url()).pathname;
    // The platform itself does not have the post; in development the link leads to the sandbox.
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: /Open at TikTok/ }).click(),
    ]);
    const address = await tab.locator('code').innerText();
    await tab.close();
    await page.getByRole('button', { name: 'Refresh the metrics of this post' }).click();
    await page.waitForURL(/\?job=/);
    await progress(page).waitFor(gone);

    await page.getByRole('link', { name: '← Account' }).click();
    expect(await chosenDays(page).innerText()).toBe('90 days'); // Of the last refresh.
    const wrong = address.replace(/\d{3}$/, '000');
    const url = page.getByLabel('URL of the post');
    await url.fill(wrong);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByRole('heading', { name: 'Post not found' }).waitFor();
    expect(await url.inputValue()).toBe(wrong); // To be corrected.
    await url.fill(`${address}#comments`);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.waitForURL(`**${postPath}`);
    await page.getByRole('heading', { name: 'Metrics' }).waitFor();

    await page.getByRole('link', { name: '← Account' }).click();
    await page.getByRole('link', { name: 'Disconnect…' }).click();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Access revoked.', { exact: true }).waitFor();
    await page.getByText('Erased.', { exact: true }).waitFor();
    await look();
    await page.getByRole('link', { name: 'Your accounts' }).click();
    await page.getByRole('heading', { name: 'Disconnected in the last seven days' }).waitFor();
    expect(await page.locator('a.account').count()).toBe(0);
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('lets a person who denied access try again', async ({ studio, visit: { page }, expect }) => {
    await signIn(page, studio.publicUrl);
    await page.getByRole('button', { name: 'Connect YouTube' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('You did not allow access. Nothing was connected.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Connect YouTube' }).waitFor();
  });
});

describe.skipIf(findChromium() === undefined)('the example caller without script', () => {
  test.override({ scripts: false });

  test('connects, disconnects and shows the step left at the provider', async ({ studio, visit, expect }) => {
    const { page, complaints } = visit;
    const press = (name: string) => page.getByRole('button', { name }).click();
    await page.goto(studio.publicUrl);
    await press('Sign in to begin');
    await press('Continue to the sign-in page');
    await press('Allow');
    await page.getByRole('heading', { name: 'Your accounts' }).waitFor();
    await page.getByRole('link', { name: 'Instagram' }).click();
    await press('Continue to Instagram'); // The choice of permissions.
    await press('Continue to Instagram'); // The launch.
    await page.getByRole('radio', { name: /Harbour Kitchen/ }).check();
    await press('Allow');
    await page.getByText('Your account at Instagram is connected.').waitFor();
    await page.getByRole('link', { name: 'Disconnect…' }).click();
    await press('Disconnect');
    await page.getByText('Erased.', { exact: true }).waitFor(); // The page refreshes automatically.
    await page.getByText('One step left for you.').waitFor();
    await page.getByRole('link', { name: /Open the settings at Instagram/ }).waitFor();
    expect(complaints).toEqual([]);
  });
});

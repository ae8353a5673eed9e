import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { complaintsOf, faultsOf } from '../caller/faults.ts';
import { findChromium, openChromium } from '../kit/chromium.ts';
import { stackTest } from './stack.ts';
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

describe.skipIf(findChromium() === undefined)('the example caller in a real browser', () => {
  test('connects, reads and disconnects an account on pages without faults', async ({ studio, visit, expect }) => {
    const { page, complaints } = visit;
    const faults: string[] = [];
    const look = async () => faults.push(...(await faultsOf(page)));
    await signIn(page, studio.publicUrl);

    await connect(page, 'Provider B', /Harbour Kitchen/);
    await progress(page).waitFor(gone);
    await page.getByRole('heading', { name: 'Harbour Kitchen' }).waitFor();
    expect(await page.locator('.post').count()).toBeGreaterThan(0);

    await page.getByRole('link', { name: '90 days' }).click();
    await page.getByRole('button', { name: 'Refresh the posts of the last 90 days' }).click();
    await page.getByText('There are more posts.').waitFor();
    await look();
    // 250 posts, up to 100 at a time.
    for (const left of [1, 0]) {
      await page.getByRole('button', { name: 'Continue' }).click();
      await progress(page).waitFor(gone);
      expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(left);
    }
    await page.getByText('All posts of the last 90 days are shown.').waitFor();

    const [first, second] = [page.locator('.post h3').nth(0), page.locator('.post h3').nth(12)];
    expect(await second.count()).toBe(0);
    const newest = await first.innerText();
    await page.getByRole('link', { name: 'Older posts' }).click();
    await page.getByRole('link', { name: 'Newest posts' }).waitFor();
    await page.getByRole('link', { name: 'Newest posts' }).click();
    expect(await first.innerText()).toBe(newest);

    await first.getByRole('link').click();
    await page.getByRole('heading', { name: 'Metrics' }).waitFor();
    await look();
    const address = (await page.getByRole('link', { name: /Open at Provider B/ }).getAttribute('href')) ?? '';
    await page.getByRole('button', { name: 'Refresh the metrics of this post' }).click();
    await page.waitForURL(/\?job=/);
    await progress(page).waitFor(gone);

    await page.getByRole('link', { name: '← Account' }).click();
    await page.getByLabel('URL of the post').fill(`${address.replace(/\?.*$/, '')}#comments`);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.waitForURL(/\/posts\//);
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
    await page.getByRole('button', { name: 'Connect Provider A' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('You did not allow access. Nothing was connected.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Connect Provider A' }).waitFor();
  });

  test('connects with fewer permissions, and with all after a reconnect', async ({ studio, visit: { page } }) => {
    await signIn(page, studio.publicUrl);
    await page.getByRole('button', { name: 'Connect Provider B' }).click();
    await page.getByRole('radio', { name: /No posts yet/ }).check();
    await page.getByRole('checkbox', { name: /video\.list/ }).uncheck();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Connected, but some permissions are missing.').waitFor();
    await page.getByRole('link', { name: 'Grant missing permissions' }).click();
    await page.getByRole('button', { name: 'Continue to Provider B' }).click();
    await page.getByRole('radio', { name: /No posts yet/ }).check();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Posts' }).waitFor();
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
    await page.getByRole('link', { name: 'Provider C' }).click();
    await press('Continue to Provider C'); // The choice of permissions.
    await press('Continue to Provider C'); // The launch.
    await page.getByRole('radio', { name: /Harbour Kitchen/ }).check();
    await press('Allow');
    await page.getByText('Your account at Provider C is connected.').waitFor();
    await page.getByRole('link', { name: 'Disconnect…' }).click();
    await press('Disconnect');
    await page.getByText('Erased.', { exact: true }).waitFor(); // The page refreshes by itself.
    await page.getByText('One step left for you.').waitFor();
    await page.getByRole('link', { name: /Open the settings at Provider C/ }).waitFor();
    expect(complaints).toEqual([]);
  });
});

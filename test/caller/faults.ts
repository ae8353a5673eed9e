import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Colours do not depend on the width, so each of either is seen once. */
const LOOKS = [
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 1280 },
] as const;

/** What is wrong with a page as it stands, on a phone and on a desk, light and dark. */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    const look = `${await page.title()} (${colorScheme}, ${width} px)`;
    if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source);
    const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as axe.AxeResults;
    for (const { id, nodes } of violations) faults.push(`${look}: axe says ${id} of ${nodes[0]?.html}`);
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
      faults.push(`${look}: scrolls sideways`);
  }
  return faults;
}

/** Collects what the browser complains of: refused scripts, styles and pictures, and errors of ours. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    // That a page is a 4xx is meant.
    const isStatus = message.text().includes('the server responded with a status of');
    if (message.type() === 'error' && !isStatus) complaints.push(message.text());
  });
  return complaints;
}

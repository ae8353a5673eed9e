import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Colors do not depend on the width, so each scheme is checked at one width. */
const APPEARANCES = [
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 1280 },
] as const;

/** The buttons that begin beside the page, or are too narrow for their labels. */
const CUT_LABELS = `[...document.querySelectorAll('main .mantine-Button-label')].filter((label) => {
  const [{ right }, inner] = [label.getBoundingClientRect(), label.parentElement.getBoundingClientRect()];
  return right > 0 && (label.closest('.mantine-Button-root').getBoundingClientRect().left < 0 || right > inner.right + 1);
}).map((label) => label.textContent)`;

/** Lists accessibility violations, cut labels and sideways scrolling of a page: light on a phone, dark on a desktop. */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const { colorScheme, width } of APPEARANCES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    const where = `${await page.title()} (${colorScheme}, ${width} px)`;
    if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source);
    const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as axe.AxeResults;
    for (const { id, nodes } of violations) faults.push(`${where}: axe says ${id} of ${nodes[0]?.html}`);
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
      faults.push(`${where}: scrolls sideways`);
    for (const label of (await page.evaluate(CUT_LABELS)) as string[]) faults.push(`${where}: cuts “${label}”`);
  }
  return faults;
}

/** Collects the browser's errors: refused scripts, styles and images, and uncaught errors. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    // The tests expect some 4xx pages.
    const isStatus = message.text().includes('the server responded with a status of');
    if (message.type() === 'error' && !isStatus) complaints.push(message.text());
  });
  return complaints;
}

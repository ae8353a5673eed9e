import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findChromium, openChromium } from './chromium.ts';

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'a machine without a browser uses that of npm; one on PATH comes first, and that of CHROMIUM_PATH before it',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'browsers-'));
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    });
    vi.stubEnv('CHROMIUM_PATH', '');
    vi.stubEnv('PATH', folder);
    const ofNpm = findChromium() ?? '';
    const onPath = path.join(folder, 'chromium');
    writeFileSync(onPath, '');
    chmodSync(onPath, 0o755);
    expect(findChromium()).toBe(onPath);
    vi.stubEnv('CHROMIUM_PATH', '/elsewhere/chromium');
    expect(findChromium()).toBe('/elsewhere/chromium');

    vi.unstubAllEnvs();
    vi.stubEnv('CHROMIUM_PATH', ofNpm);
    const browser = await openChromium();
    const page = await browser.newPage();
    await page.setContent('<title>Accounts</title><h1>Accounts</h1>');
    expect(await page.getByRole('heading', { name: 'Accounts' }).isVisible()).toBe(true);
    await browser.close();
  },
);

import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { downloadWheel } from '../../local/src/temporal-programs.ts';
import { CACHE } from '../kit/run-folder.ts';

/** Standard Webhooks' own library for Python. It has no dependencies. */
const STANDARD_WEBHOOKS = {
  package: 'standardwebhooks',
  version: '1.1.0',
  sha256: ['9a88d48a1f198be61517fc7ad328cf58ba02b73f0fbd8941d4213e9c0b6c2a61'],
};

/** Finds the library, or downloads it once. @returns a value for PYTHONPATH: Python imports from the wheel itself. */
export async function findStandardWebhooks(): Promise<string> {
  const { package: name, version } = STANDARD_WEBHOOKS;
  const kept = path.join(CACHE, `${name}-${version}.whl`);
  if (existsSync(kept)) return kept;
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(path.join(CACHE, 'wheel-'));
  try {
    const file = await downloadWheel(STANDARD_WEBHOOKS, draft);
    if (file === undefined) throw new Error(`pip could not download ${name} ${version}.`);
    renameSync(file, kept);
    return kept;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

// Loaded before each test file: a wait ends when its condition holds, so its limit only ends a test that hangs.
import { vi } from 'vitest';
import { WAIT_LIMIT_MS } from './limits.ts';

const WAITS = ['waitFor', 'waitUntil'] as const;

type Options = number | { timeout?: number; interval?: number };
type Wait = ((callback: () => unknown, options?: Options) => Promise<unknown>) & { isPatient?: true };

for (const name of WAITS) {
  const wait = vi[name] as Wait;
  if (wait.isPatient) continue; // Files may share their process.
  const patient: Wait = (callback, options = {}) =>
    wait(callback, { timeout: WAIT_LIMIT_MS, ...(typeof options === 'number' ? { timeout: options } : options) });
  patient.isPatient = true;
  Object.assign(vi, { [name]: patient });
}

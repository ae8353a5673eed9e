// Records which functions a test file ran and how long it took: `npm test -- --changed` finds the tests of a change with it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import { keepReach, REACH, type Reach } from './reach.ts';

/** One for the process: the engine counts for all files that run in it. */
const holder = globalThis as { reachSession?: Session };

/** For each test file: the functions that run from here to the end of its tests. */
export function recordReach(): void {
  const session = openSession();
  let startedAt = 0;
  beforeAll(() => {
    startedAt = Date.now();
  });
  afterAll(() => {
    const file = path.relative(ROOT, expect.getState().testPath ?? '');
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error !== null) throw error;
      const reach: Reach = { test: file, ms: Date.now() - startedAt, functions: keepReach(taken.result, ROOT) };
      mkdirSync(REACH, { recursive: true });
      writeFileSync(path.join(REACH, `${file.replaceAll(path.sep, '__')}.json`), JSON.stringify(reach));
    });
  });
}

function openSession(): Session {
  if (holder.reachSession === undefined) {
    holder.reachSession = new Session();
    holder.reachSession.connect();
    holder.reachSession.post('Profiler.enable');
    holder.reachSession.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }
  return holder.reachSession;
}

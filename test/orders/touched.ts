import { execFileSync } from 'node:child_process';
import { Session } from 'node:inspector/promises';
import { ROOT } from '../../local/src/services.ts';
import type { Explorer } from './explore.ts';
import { STATES } from './states.ts';

/** The files of the service that differ from a commit. */
export const listChanged = (base: string): string[] =>
  execFileSync('git', ['diff', '--name-only', base, '--', 'src', 'migrations'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '');

/**
 * The operations that run code of these files, by a look at which functions each of them runs alone. A migration touches all.
 * @returns their names
 */
export async function listTouched(explorer: Explorer, files: readonly string[]): Promise<Set<string>> {
  const touched = new Set<string>();
  const seen = new Set<string>();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const runsChanged = async (): Promise<boolean> => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result.some(
      ({ url, functions }) =>
        files.some((file) => url.endsWith(`/${file}`)) &&
        functions.some(({ functionName, ranges }) => functionName !== '' && ranges.some(({ count }) => count > 0)),
    );
  };
  try {
    for (const { name: state } of STATES) {
      for (const { name } of await explorer.listOperations(state)) {
        if (seen.has(name)) continue;
        const order = { state, operations: [name], plan: [] };
        let runs = false;
        const { traces } = await explorer.play(order, {
          begin: async () => void (await session.post('Profiler.takePreciseCoverage')),
          end: async () => {
            runs = await runsChanged();
          },
        });
        if ((traces[0]?.length ?? 0) <= 1) continue; // It has nothing to do here.
        seen.add(name);
        if (runs || files.some((file) => file.startsWith('migrations/'))) touched.add(name);
      }
    }
  } finally {
    session.disconnect();
  }
  return touched;
}

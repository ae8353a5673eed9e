import path from 'node:path';
import { ROOT } from '../../local/src/services.ts';
import { functionNameOf } from './code-mutators.ts';
import type { Placed } from './find-tests.ts';
import { readJson } from './test-runner.ts';

/** Mutants that no test kills, and why that is right. */
export interface Accepted {
  readonly file: string;
  /** The function, with the names around it; empty for what runs when the module is loaded. */
  readonly in: string;
  /** The line of the source that the mutant changes first. */
  readonly line: string;
  /** What becomes what, with single spaces. */
  readonly mutation: string;
  /** Which of several with the same name, from 1; all by default. */
  readonly occurrence?: number;
  readonly reason: string;
}

const FILE = path.join(ROOT, 'test', 'mutation', 'accepted.json');
export const readAccepted = (): Accepted[] => readJson<Accepted[]>(FILE, []);

/** What an entry of the list says of a mutant. */
export function nameMutant(mutant: Placed, source: string): Omit<Accepted, 'reason' | 'occurrence'> {
  const { file, start, end, kind, replacement } = mutant;
  const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = source.indexOf('\n', start);
  return {
    file,
    in: functionNameOf(source, mutant),
    line: plain(source.slice(lineStart, lineEnd < 0 ? undefined : lineEnd)),
    mutation: `${kind}: ${plain(source.slice(start, end))} -> ${plain(replacement)}`,
  };
}

const keyOf = ({ file, in: inside, line, mutation }: Omit<Accepted, 'reason' | 'occurrence'>) =>
  [file, inside, line, mutation].join('\n');

/** The mutants that an entry accepts, and the entries without a mutant. */
export function matchAccepted(
  accepted: readonly Accepted[],
  mutants: readonly Placed[],
  read: (file: string) => string,
): { readonly ids: ReadonlySet<string>; readonly gone: readonly Accepted[] } {
  const files = new Set(accepted.map(({ file }) => file));
  const byKey = new Map<string, string[]>();
  for (const mutant of mutants) {
    if (!files.has(mutant.file)) continue;
    const key = keyOf(nameMutant(mutant, read(mutant.file)));
    byKey.set(key, [...(byKey.get(key) ?? []), mutant.id]);
  }
  const idsOf = (entry: Accepted) => {
    const ids = byKey.get(keyOf(entry)) ?? [];
    return entry.occurrence === undefined ? ids : ids.slice(entry.occurrence - 1, entry.occurrence);
  };
  return { ids: new Set(accepted.flatMap(idsOf)), gone: accepted.filter((entry) => idsOf(entry).length === 0) };
}

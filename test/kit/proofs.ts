import { beforeEach, TestRunner } from 'vitest';
import type { ProviderName } from '../../src/basics/codes.ts';
import type { Behaviour } from './behaviours.ts';

const PREFIX = 'proves ';

declare module 'vitest' {
  interface TaskMeta {
    [proof: `proves ${string}`]: readonly ProviderName[];
  }
}

/**
 * Declares at the start of a test that it proves these behaviours, or in a group that all its tests do. It proves behaviours of a platform
 * at the one in its file's or its own name.
 */
export const proves = (...behaviours: readonly Behaviour[]) => provesAt([], ...behaviours);

/** The same at platforms that neither names. */
export function provesAt(providers: ProviderName | readonly ProviderName[], ...behaviours: readonly Behaviour[]): void {
  const meta = Object.fromEntries(
    behaviours.map((behaviour) => [`${PREFIX}${behaviour}` as const, [providers].flat()]),
  );
  const test = TestRunner.getCurrentTest();
  if (test === undefined) beforeEach(({ task }) => Object.assign(task.meta, meta));
  else Object.assign(test.meta, meta);
}

/** Cases of a table, by the behaviour that they prove. */
export type CasesOf<Case> = Partial<Readonly<Record<Behaviour, Case[]>>>;

export const byBehaviour = <Case>(cases: CasesOf<Case>) => Object.entries(cases) as [Behaviour, Case[]][];

/** Reads back which behaviours a test proves, and at which platforms if it names them. */
export const readProofs = (meta: object): { behaviour: string; providers: readonly ProviderName[] }[] =>
  Object.entries(meta).flatMap(([key, providers]) =>
    key.startsWith(PREFIX) ? [{ behaviour: key.slice(PREFIX.length), providers }] : [],
  );

import type { Damage } from './nemesis.ts';
import type { Outcome, RunOptions } from './run.ts';

/** Later damage cannot have caused a flow's failure. */
const MARGIN_MS = 5_000;
/** Long enough for most shared work. */
const SHORT_MS = 180_000;

/**
 * Looks for a smaller run that breaks the same promise: the flow concerned alone, for as long as it lived, and with as few
 * kinds of damage as possible. The timing of a run is its own, so a smaller one may pass by chance; then the part that was
 * left out is taken to matter.
 * @returns the smallest that failed, with the command that repeats it; undefined if no smaller one did
 */
export async function shrink(
  options: RunOptions,
  { figures, entries }: Outcome,
  run: (options: RunOptions) => Promise<Outcome>,
): Promise<{ options: RunOptions; report: string } | undefined> {
  const broken = figures.objections.find(({ flow }) => flow !== 'run') ?? figures.objections[0];
  if (broken === undefined) return undefined;
  let smallest: { options: RunOptions; outcome: Outcome } | undefined;
  const attempt = async (smaller: RunOptions): Promise<boolean> => {
    const outcome = await run({ ...smaller, name: `${options.seed}-smaller` });
    const isSame = outcome.figures.objections.some(({ rule }) => rule === broken.rule);
    if (isSame) smallest = { options: smaller, outcome };
    return isSame;
  };

  let current = options;
  if (broken.flow === 'run') {
    const shorter = { ...options, ms: Math.min(options.ms, SHORT_MS) };
    if (shorter.ms < options.ms && (await attempt(shorter))) current = shorter;
  } else {
    const healed = entries.findIndex((entry) => entry.type === 'phase');
    const own = entries.slice(0, healed < 0 ? undefined : healed).filter(({ flow }) => flow === broken.flow);
    const lived = (own.at(-1)?.at ?? 0) - (own[0]?.at ?? 0) + MARGIN_MS;
    const alone = { ...options, ms: Math.min(options.ms, lived), flows: [Number(broken.flow.replace('flow-', ''))] };
    if (await attempt(alone)) current = alone;
  }
  let kinds: readonly Damage[] = current.damages ?? [];
  for (let size = Math.ceil(kinds.length / 2); size >= 1 && kinds.length > 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < kinds.length && kinds.length > 1; ) {
      const fewer = kinds.filter((_, index) => index < at || index >= at + size);
      if (fewer.length > 0 && (await attempt({ ...current, damages: fewer }))) kinds = fewer;
      else at += size;
    }
  }
  return smallest && { options: smallest.options, report: describe(smallest) };
}

function describe({ options, outcome }: { options: RunOptions; outcome: Outcome }): string {
  const { seed, ms, people, flows, damages = [] } = options;
  const command = [
    `npm run test:faults -- --seed ${seed} --minutes ${(ms / 60_000).toFixed(2)} --people ${people}`,
    ...(flows === undefined ? [] : [`--flows ${flows.join()}`]),
    `--damages '${damages.join()}'`,
  ].join(' ');
  return `A smaller run that breaks the same promise:\n${command}\n${outcome.report}`;
}

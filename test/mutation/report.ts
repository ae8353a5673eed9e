import type { Accepted } from './accepted.ts';
import type { Placed } from './find-tests.ts';
import { folderOf, isKill, type Results, type Status } from './results.ts';

/** The least share of the tried mutants, without the accepted ones, that tests kill. */
const GOAL = 0.95;

/** Lists what survived, the entries of the list that do not fit, and a table. Fails below the goal, and if an entry does not fit. */
export function report(
  mutants: readonly Placed[],
  results: Results,
  accepted: { readonly ids: ReadonlySet<string>; readonly gone: readonly Accepted[] },
  describe: (mutant: Placed) => string,
): void {
  const statusOf = ({ id }: Placed): Status | undefined => results.of(id)?.status;
  for (const mutant of mutants) {
    const status = statusOf(mutant);
    if (status === undefined || isKill(status) || accepted.ids.has(mutant.id)) continue;
    const untried = results.of(mutant.id)?.untried ?? 0;
    console.log(`${status.padEnd(11)} ${describe(mutant)}${untried > 0 ? ` (${untried} tests over the budget)` : ''}`);
  }
  const wrong = mutants.filter((mutant) => accepted.ids.has(mutant.id) && isKill(statusOf(mutant)));
  for (const mutant of wrong) console.log(`accepted, but killed: ${describe(mutant)}`);
  for (const { file, mutation, line } of accepted.gone)
    console.log(`accepted, but gone: ${file} ${mutation} in ${line}`);

  const rows = [...new Set(mutants.map(folderOf))].map((folder) => {
    const own = mutants.filter((mutant) => folderOf(mutant) === folder);
    const tried = own.filter((mutant) => statusOf(mutant) !== undefined);
    const killed = tried.filter((mutant) => isKill(statusOf(mutant)));
    const allowed = own.filter(({ id }) => accepted.ids.has(id));
    const left = tried.filter((mutant) => !killed.includes(mutant) && !accepted.ids.has(mutant.id));
    const share = killed.length / Math.max(1, killed.length + left.length);
    return { folder, all: own.length, tried: tried.length, killed: killed.length, allowed: allowed.length, share };
  });
  console.log('\n| Folder | Mutants | Tried | Killed | Accepted | Share |\n|---|---|---|---|---|---|');
  const number = (value: number) => value.toLocaleString('en');
  for (const { folder, all, tried, killed, allowed, share } of rows) {
    console.log(
      `| ${folder.replace('src/', '')} | ${[all, tried, killed, allowed].map(number).join(' | ')} | ${tried === 0 ? '–' : `${Math.floor(share * 1000) / 10} %`} |`,
    );
  }
  if (wrong.length + accepted.gone.length > 0 || rows.some(({ tried, share }) => tried > 0 && share < GOAL))
    process.exitCode = 1;
}

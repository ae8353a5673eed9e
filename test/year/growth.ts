import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listJournalFiles } from '../kit/journal.ts';
import { CACHE } from '../kit/run-folder.ts';
import type { World } from './world.ts';

/** What is meant to grow, and why. Everything else is flat once its rows' life is over. */
const MEANT: Readonly<Record<string, string>> = {
  account_grant: 'the last grant of each person who never comes back',
  admin_token: 'issued tokens stay, because the audit log names them',
  app_key: 'keys stay',
  audit_log: 'what operators did stays; their reads of persons a year',
  connection: 'people who never come back',
  coverage: 'accounts of people who never come back',
  content_item: 'ids of posts stay until the erase, and people publish',
  deletion_request: 'a year',
  erasure: 'a year',
  registration: 'replaced clients stay, and their secrets are gone',
  scope: 'people who never come back',
  webhook_sequence: 'connections of people who never come back',
  'journal files': 'erasures outside the database stay, until an operator deletes what is older than the backups',
  'log lines': 'one for each thing that happened: their number is bounded by the work, not by time',
};

/** Days after which a table is flat: the life of its rows, and ten days. */
const FLAT_AFTER: Readonly<Record<string, number>> = {
  'coverage of the connected': 40,
  ended_work_count: 45,
  imported_token: 70,
  journal_entry: 100,
  registration_usage: 100,
  unknown_answer: 40,
  webhook_delivery: 40,
  webhook_event: 40,
};
const USUALLY_FLAT_AFTER = 17;
/** A table is flat if the last third of what was measured has at most so many more rows than the third before. */
const MOST_GROWTH = 0.25;
const MOST_MORE = 8;
/** Fewer measurements say nothing. */
const LEAST_MEASURED = 6;

interface Measured {
  readonly day: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** The size of everything that could grow, over the days. */
export class Growth {
  readonly #world: World;
  readonly #days: number;
  readonly #measured: Measured[] = [];

  /** @param days how many are to pass. */
  constructor(world: World, days: number) {
    this.#world = world;
    this.#days = days;
  }

  async measure(day: number, openWorkflows: number): Promise<void> {
    const { service, journal, lines } = this.#world;
    const tables = await service.sql`
      select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
        and relname not in ('test_clock', 'schema_migration') order by 1
    `;
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await service.sql`select count(*)::int as count from ${service.sql(name)}`;
      counts[name] = row?.count;
    }
    const [covered] = await service.sql`
      select count(*)::int as count from coverage join connection using (connection_id) where status = 'CONNECTED'
    `;
    const metrics = (await this.#world.readMetrics())
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    Object.assign(counts, {
      'coverage of the connected': covered?.count,
      'metric series': metrics.length,
      'open workflows': openWorkflows,
      'journal files': listJournalFiles(journal).length,
      'log lines': [...lines.values()].reduce((all, count) => all + count, 0),
    });
    this.#measured.push({ day, counts });
  }

  /** What grows although it is not meant to. */
  findGrowing(): string[] {
    return this.#names().flatMap((name) => {
      if (name in MEANT) return [];
      const from = FLAT_AFTER[name] ?? USUALLY_FLAT_AFTER;
      const flat = this.#measured.filter(({ day }) => day >= from).map(({ counts }) => counts[name] ?? 0);
      if (flat.length < LEAST_MEASURED) return [];
      const third = Math.floor(flat.length / 3);
      const [before, last] = [mean(flat.slice(-2 * third, -third)), mean(flat.slice(-third))];
      const limit = before + Math.max(MOST_MORE, before * MOST_GROWTH);
      return last > limit ? [`${name} grows: ${before.toFixed(0)} and then ${last.toFixed(0)}`] : [];
    });
  }

  /** Writes one page. @returns its path */
  write(heading: readonly string[]): string {
    const shown = this.#measured.filter(
      (_each, index, all) => index % Math.ceil(all.length / 12) === 0 || index === all.length - 1,
    );
    const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
    const table = this.#names().map((name) =>
      row([
        name,
        ...shown.map(({ counts }) => counts[name] ?? 0),
        MEANT[name] ?? `flat after ${FLAT_AFTER[name] ?? USUALLY_FLAT_AFTER} days`,
      ]),
    );
    const logged = [...this.#world.lines].sort(([, a], [, b]) => b - a).map(([line, count]) => row([count, line]));
    const page = [
      '# A year',
      ...heading,
      '',
      row(['', ...shown.map(({ day }) => `day ${day}`), 'meant to be']),
      row(['---', ...shown.map(() => '--:'), '---']),
      ...table,
      '',
      row(['lines', 'log']),
      row(['--:', '---']),
      ...logged,
    ];
    const folder = path.join(CACHE, 'year');
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, `${this.#days}-days.md`);
    writeFileSync(file, `${page.join('\n')}\n`);
    return file;
  }

  #names(): string[] {
    return Object.keys(this.#measured.at(-1)?.counts ?? {});
  }
}

const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;

// Fills the tables of docs/architecture.md.
import { renderTriggers } from './trigger-table.mjs';

/** A docstring that ends with `@later PURPOSE: MEANS` describes a way to do something later. The name follows it. */
const LATER = /\n \* @later ([^:]+): ((?:(?!\*\/)[\s\S])+?)\s*\*\/\s*export (?:async )?(?:function|const) (\w+)/g;

/** @param sources the text of each source by its path. @returns the rows of a Markdown table. */
export function renderLater(sources) {
  const rows = Object.entries(sources).flatMap(([file, text]) =>
    [...text.matchAll(LATER)].map(
      ([, purpose, means, name]) =>
        `| ${purpose} | ${means.replace(/\s*\n \* */g, ' ')} (\`${name}\` in \`${file}\`) |`,
    ),
  );
  return ['| You want to | Use |', '|---|---|', ...rows.sort()].join('\n');
}

const END = '\n<!-- End of the generated table. -->';

function fillTable(page, source, table) {
  const begin = `<!-- Generated from ${source} by \`npm run codegen\`. -->\n`;
  const from = page.indexOf(begin) + begin.length;
  const to = page.indexOf(END, from);
  if (from < begin.length || to < from)
    throw new Error(`docs/architecture.md has no place for the table from ${source}.`);
  return page.slice(0, from) + table + page.slice(to);
}

/** @param migrations the SQL of all migrations, in their order. @param sources as for `renderLater`. */
export const renderArchitecture = (page, migrations, sources) =>
  fillTable(fillTable(page, 'the migrations', renderTriggers(migrations)), 'docstrings', renderLater(sources));

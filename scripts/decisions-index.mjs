// The index of docs/decisions.md: the ids of each part.
const INDEX = /(<!-- index -->\n)[\s\S]*?(<!-- \/index -->)/;

/** Writes runs of consecutive numbers as ranges. */
function renderIds(ids) {
  const numbers = ids.map(Number).sort((one, other) => one - other);
  const runs = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run !== undefined && number === run.last + 1) run.last = number;
    else runs.push({ first: number, last: number });
  }
  const name = (number) => `D-${String(number).padStart(3, '0')}`;
  return runs.map(({ first, last }) => (first === last ? name(first) : `${name(first)} to ${name(last)}`)).join(', ');
}

/**
 * Replaces the index of the page.
 * @throws Error if the page has no index, or an id twice.
 */
export function indexDecisions(page) {
  const ids = [...page.matchAll(/^### D-(\d{3}): /gm)].map(([, id]) => id);
  const repeated = ids.find((id, at) => ids.indexOf(id) !== at);
  if (repeated !== undefined) throw new Error(`docs/decisions.md has D-${repeated} twice.`);
  if (!INDEX.test(page)) throw new Error('docs/decisions.md needs its index.');
  const rows = page
    .split(/^(?=## )/m)
    .slice(1)
    .map((part) => {
      const [, title] = /^## (.*)$/m.exec(part);
      const own = [...part.matchAll(/^### D-(\d{3}): /gm)].map(([, id]) => id);
      return `| [${title}](#${title.toLowerCase().replaceAll(' ', '-')}) | ${renderIds(own)} |\n`;
    });
  return page.replace(INDEX, (_, opening, end) => `${opening}| Part | Ids |\n|---|---|\n${rows.join('')}${end}`);
}

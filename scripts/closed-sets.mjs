// Checks that meanings of closed codes stand in one place: no list of failures, error codes or result codes outside `src/basics`. Such a
// list decides by a code, and a code that is added later silently falls out of it: add a column to the table in
// src/basics/failures.ts instead. Part of `npm run check`. Usage: node scripts/closed-sets.mjs [FOLDER]
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));

/** Lists that a contract or a platform defines. */
const ALLOWED = {
  'src/webhooks/event-schema.ts': 'the codes that this event can carry, in a published schema',
  'src/providers/provider-a/checklist.ts': 'the symptoms of a trial',
  'src/providers/provider-c/content.ts': 'what the batch call of this platform answers for one bad id',
};

const read = (file) => readFileSync(path.join(FOLDER, file), 'utf8');
const LIST = /\[\s*((?:'\w+'\s*,?\s*){2,})\]/g;
const listWords = (text) => [...text.matchAll(/'(\w+)'/g)].map(([, word]) => word);

/** The members of each set, by the name of its list in `src/basics`. */
const sets = new Map(
  ['codes', 'failures'].flatMap((name) =>
    [...read(`src/basics/${name}.ts`).matchAll(/const (\w+) = \[([^\]]*)\] as const/g)].map(([, set, members]) => [
      set,
      listWords(members),
    ]),
  ),
);
const of = (...names) => new Set(names.flatMap((name) => sets.get(name)));
const CLOSED = {
  'types of failures': of('PROVIDER_ERROR_TYPES', 'OWN_FAILURES'),
  'error codes of jobs': of('JOB_ERROR_CODES'),
  'result codes': of('RESULT_CODES'),
};

const problems = [];
for (const inside of readdirSync(path.join(FOLDER, 'src'), { recursive: true })) {
  const file = path.posix.join('src', ...inside.split(path.sep));
  if (!file.endsWith('.ts') || /^src\/(basics|generated)\//.test(file) || file in ALLOWED) continue;
  const text = read(file);
  for (const { 1: members, index } of text.matchAll(LIST)) {
    const words = listWords(members);
    const [set] = Object.entries(CLOSED).find(([, all]) => words.every((word) => all.has(word))) ?? [];
    const line = text.slice(0, index).split('\n').length;
    if (set !== undefined) problems.push(`${file}:${line} lists ${set}: derive it from src/basics/failures.ts`);
  }
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

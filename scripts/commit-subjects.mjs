// Checks commit subjects: `area: effect`, at most 72 characters. It reads the commits that this branch adds to `origin/main`
// or `main`, and at least the newest one. Merges, reverts and fixups are exempt, and so is a folder without git.
// Part of `npm run check`. Usage: node scripts/commit-subjects.mjs [FOLDER]
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const FOLDER = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const LONGEST = 72;
const SUBJECT = /^[a-z0-9][a-z0-9 ,./_-]*: \S/;
const EXEMPT = /^(Merge |Revert "|fixup! |squash! )/;

function listSubjects(...range) {
  const args = ['log', '--no-merges', '--format=%s', ...range];
  const { status, stdout } = spawnSync('git', args, { cwd: FOLDER, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter(Boolean) : [];
}

const added = ['origin/main..HEAD', 'main..HEAD'].map((range) => listSubjects(range)).find(({ length }) => length > 0);
const subjects = (added ?? listSubjects('--max-count=1')).filter((subject) => !EXEMPT.test(subject));
for (const subject of subjects) {
  if (subject.length > LONGEST) console.error(`${subject.length} characters, at most ${LONGEST}: ${subject}`);
  if (!SUBJECT.test(subject)) console.error(`Does not begin with \`area: \`: ${subject}`);
}
const isRight = (subject) => subject.length <= LONGEST && SUBJECT.test(subject);
process.exitCode = subjects.every(isRight) ? 0 : 1;

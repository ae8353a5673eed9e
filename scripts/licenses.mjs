// `npm run licenses`: lists the licence of each package that runs in production, and fails for one that this project's own
// licence, Apache-2.0, may not be combined with or that names none.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './run.mjs';

/** Permissive licences, which ask for their notice only. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
];

/** Packages that were looked at one by one. */
const REVIEWED = {
  'caniuse-lite': 'CC-BY-4.0', // Tables of data, which only the bundler that Temporal brings along reads.
  unionfs: 'none', // Its package.json names none; its file LICENSE is the Unlicense.
};

/** `name version licence`, in the order of names. */
export function listLicenses() {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
  const lines = Object.entries(packages).flatMap(([place, { dev, devOptional, link }]) => {
    const folder = path.join(ROOT, place);
    if (place === '' || dev || devOptional || link || !existsSync(folder)) return [];
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return [`${name} ${version} ${typeof license === 'string' ? license : 'none'}`];
  });
  return [...new Set(lines)].sort();
}

/** `MIT OR Apache-2.0` leaves the choice; `MIT AND ISC` asks for both. */
const isAllowed = (license) =>
  license
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => ALLOWED.includes(each)));

if (process.argv[1] === import.meta.filename) {
  const lines = listLicenses();
  for (const line of lines) console.log(line);
  const refused = lines.filter((line) => {
    const [name, , ...license] = line.split(' ');
    return REVIEWED[name] !== license.join(' ') && !isAllowed(license.join(' '));
  });
  if (refused.length > 0) console.error(`\nNot allowed:\n${refused.join('\n')}`);
  process.exitCode = refused.length > 0 ? 1 : 0;
}

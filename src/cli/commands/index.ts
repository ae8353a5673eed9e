import type { Operation } from '../../domain/rules/roles.ts';
import { OPERATIONS } from '../../generated/admin-operations.ts';
import { deriveCommand, type More } from '../derive-command.ts';
import type { Command } from '../shape.ts';
import { FURTHER, GROUPS, MORE, SELECTIONS } from './exceptions.ts';

const groupOf = (name: string) => {
  const [noun = ''] = name.split(' ');
  return Object.entries(GROUPS).find(([, nouns]) => nouns.includes(noun))?.[0] ?? 'Others';
};

const derive = (name: string, operation: Operation, more: More | undefined): readonly [string, Command] => [
  name,
  deriveCommand(name, operation, groupOf(name), SELECTIONS, more),
];

const derived = Object.entries(OPERATIONS).map(([operation, { command }]) =>
  derive(command, operation as Operation, MORE[command]),
);
const further = Object.entries(FURTHER).map(([name, { operation, ...more }]) => derive(name, operation, more));
const rank = ([name]: readonly [string, Command]) => Object.keys(GROUPS).indexOf(groupOf(name));

/** Every command of the admin API, by its name: one for each operation of admin.graphql, and further ones. */
export const COMMANDS: Readonly<Record<string, Command>> = Object.fromEntries(
  [...derived, ...further].sort((one, other) => rank(one) - rank(other) || one[0].localeCompare(other[0], 'en')),
);

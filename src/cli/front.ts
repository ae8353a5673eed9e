import { COMMANDS } from './commands/index.ts';
import { readOptions } from './read-options.ts';
import { fileOptionOf, listPersonOptions } from './read-persons.ts';
import { type Command, describeUsage, type Options } from './shape.ts';

/** A command of the admin API on a command line. */
export interface Found {
  readonly name: string;
  readonly command: Command;
  readonly rest: readonly string[];
}

/** A command has one to three words; the rest are options. */
export function findCommand(args: readonly string[]): Found | undefined {
  for (const words of [3, 2, 1]) {
    const name = args.slice(0, words).join(' ');
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command !== undefined) return { name, command, rest: args.slice(words) };
  }
  return undefined;
}

/** Lists every command by its group. @param formatGroup writes the heading. */
export function listCommands(formatGroup = (group: string) => group): string {
  const groups = [...new Set(Object.values(COMMANDS).map(({ group }) => group))];
  const width = Math.max(...Object.keys(COMMANDS).map(({ length }) => length));
  return groups
    .map((group) => {
      const lines = Object.entries(COMMANDS)
        .filter(([, command]) => command.group === group)
        .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
      return `${formatGroup(group)}\n${lines.join('\n')}`;
    })
    .join('\n\n');
}

/**
 * Lists the commands that begin with these words. Empty without one.
 * @param others commands that the admin API does not offer.
 */
export function listCommandsOf(words: string, others: Readonly<Record<string, { summary: string }>> = {}): string {
  const found = Object.entries({ ...COMMANDS, ...others })
    .filter(([name]) => name.startsWith(`${words} `))
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'));
  const width = Math.max(0, ...found.map(([name]) => name.length));
  return found.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`).join('');
}

export const describeOne = ({ name, command }: Found): string =>
  `${describeUsage(name, command)}\n    ${command.summary}\n`;

/** Reads the options of a command. @throws ServiceError `BAD_USER_INPUT` */
export function readCommandOptions({ name, command, rest }: Found): Options {
  const own = Object.entries(command.options).map(([option, { kind }]) => [
    option,
    {
      type: kind === 'flag' ? ('boolean' as const) : ('string' as const),
      multiple: kind === 'list',
    },
  ]);
  const files = listPersonOptions(command).map((option) => [fileOptionOf(option), { type: 'string' as const }]);
  return readOptions(
    {
      usage: describeUsage(name, command),
      options: {
        ...Object.fromEntries([...own, ...files]),
        ...(command.confirm && { yes: { type: 'string' as const } }),
      },
    },
    rest,
  ) as Options;
}

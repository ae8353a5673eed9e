import { ServiceError } from '../basics/errors.ts';
import { decodeUtf8 } from '../basics/utf8.ts';
import { readSmallFile } from './read-small-file.ts';
import type { Command, Options } from './shape.ts';

/** Longer than any id of a person. */
const MAX_BYTES = 1_024;

/** The option with which a file gives the value of another one. */
export const fileOptionOf = (option: string): string => `${option}-file`;

/** The options of a command whose values name a person. */
export const listPersonOptions = ({ options }: Pick<Command, 'options'>): string[] =>
  Object.entries(options).flatMap(([option, { isPerson }]) => (isPerson === true ? [option] : []));

/**
 * Adds the persons that a file or standard input names: process lists and shell histories show arguments. No error repeats a name.
 * @param readLine reads a line of standard input.
 * @throws ServiceError `BAD_USER_INPUT`
 */
export async function readPersons(
  command: Pick<Command, 'options'>,
  options: Options,
  readLine: (prompt: string) => Promise<string>,
): Promise<Options> {
  const filled: Record<string, Options[string]> = { ...options };
  for (const option of listPersonOptions(command)) {
    const fileOption = fileOptionOf(option);
    const { [fileOption]: file, ...rest } = filled;
    if (file !== undefined && option in rest) {
      throw new ServiceError('BAD_USER_INPUT', `Give either --${option} or --${fileOption}.`);
    }
    const isMissing = file === undefined && !(option in rest) && command.options[option]?.isRequired;
    const isAsked = file === '-' || rest[option] === '-' || isMissing;
    if (file === undefined && !isAsked) continue;
    delete filled[fileOption];
    const given = isAsked
      ? await readLine(`${option}: `)
      : decodeUtf8(await readSmallFile(fileOption, String(file), MAX_BYTES));
    if (given === undefined) throw new ServiceError('BAD_USER_INPUT', `--${fileOption} is not UTF-8.`);
    const name = given.replace(/\r?\n$/, '');
    if (name === '' || /[\r\n]/.test(name)) {
      throw new ServiceError('BAD_USER_INPUT', `--${option} must be one line on standard input or in --${fileOption}.`);
    }
    filled[option] = name;
  }
  return filled;
}

import { BOUNDS } from '../generated/operations.ts';
import type { Problem } from './problem.ts';

/** `must be a URL` of the argument `url` as `The return URL must be a URL.` */
const toSentence = (label: string, fault: string): string => `${label} ${fault}${/[.!?]$/.test(fault) ? '' : '.'}`;

/**
 * The fault that the api found in one argument, in the words of the form: the api begins its message with the argument's name.
 * @returns undefined if the problem is about something else.
 */
export function readFieldProblem(problem: Problem | undefined, argument: string, label: string): string | undefined {
  if (problem?.code !== 'BAD_USER_INPUT') return undefined;
  const [name = '', ...rest] = problem.message.split(' ');
  return name === argument || name === `input.${argument}` ? toSentence(label, rest.join(' ')) : undefined;
}

/** The faults that the api found, by field. @param labels of the fields, by the names of their arguments. */
export function readFieldProblems<Field extends string>(
  problem: Problem | undefined,
  labels: Readonly<Record<Field, string>>,
): Partial<Record<Field, string>> {
  const faults = (Object.keys(labels) as Field[]).flatMap((field) => {
    const fault = readFieldProblem(problem, field, labels[field]);
    return fault === undefined ? [] : [[field, fault] as const];
  });
  return Object.fromEntries(faults) as Partial<Record<Field, string>>;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/** The problem with a number; null if there is none. The api decides; it has the same bounds. */
export const findRangeFault = (value: number | null, { min, max }: Range): string | null =>
  value !== null && Number.isInteger(value) && value >= min && value <= max
    ? null
    : `Enter a whole number from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}.`;

/** The purpose of an address. Only browsers return, and the api allows http for more hosts of webhooks. */
export type AddressUse = 'return' | 'webhook' | 'issuer';

const EXAMPLES: Readonly<Record<AddressUse, string>> = {
  return: 'https://app.example/connected',
  webhook: 'https://app.example/webhooks',
  issuer: 'https://login.example',
};

const isHttpAllowed = (url: string, use: AddressUse): boolean =>
  use === 'webhook' ? /^http:\/\//i.test(url) : /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/?#]|$)/i.test(url);

/** Lists all problems with an address before it is sent. The api decides; it has more rules. */
export function listUrlFaults(text: string, use: AddressUse = 'return'): string[] {
  const url = text.trim();
  if (url === '') return ['Enter a URL.'];
  const faults = [
    !/^https:\/\//i.test(url) && !isHttpAllowed(url, use)
      ? `It must begin with https://.${use === 'webhook' ? '' : ' Only addresses of your own machine may begin with http://.'}`
      : '',
    url.includes('#') ? 'It must have no fragment: remove “#” and the text after it.' : '',
    use === 'issuer' && url.includes('?') ? 'It must have no query: remove “?” and the text after it.' : '',
    /\s/.test(url) ? 'It must have no spaces.' : '',
    /^https?:\/\/[^/?#]*@/i.test(url) ? 'It must have no name and password.' : '',
    use === 'return' && /[?&]ss_/.test(url)
      ? 'It must have no parameter that begins with ss_: the service adds its own.'
      : '',
  ].filter((fault) => fault !== '');
  return faults.length === 0 && !URL.canParse(url) ? [`This is not a URL, such as ${EXAMPLES[use]}.`] : faults;
}

/** The same as one text; null if nothing is wrong. */
export const findUrlFault = (text: string, use: AddressUse = 'return'): string | null =>
  listUrlFaults(text, use).join(' ') || null;

/** The address as a browser sends it: `https://ä.example/zurück` becomes `https://xn--4ca.example/zur%C3%BCck`. ASCII stays as it is. */
export function toBrowserUrl(text: string): string {
  const url = text.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII.
  if (/^[\x00-\x7f]*$/.test(url) || !URL.canParse(url)) return url;
  const { href } = new URL(url);
  return href;
}

const lengthOf = (text: string): number => [...text.trim()].length;

/** Shows the limit of characters, once most of them are used. */
export const describeLength = (text: string, { max }: Pick<Range, 'max'>): string | undefined =>
  lengthOf(text) > max * 0.8 ? `${lengthOf(text)} of ${max} characters` : undefined;

/** The problem with the name of an app; null if there is none. */
export function findNameFault(name: string): string | null {
  if (name.trim() === '') return 'Enter a name. People see it while they connect an account.';
  const length = lengthOf(name);
  const { max } = BOUNDS['CreateAppInput.name'];
  return length > max ? `The name has ${length} characters, and ${max} are the most. Shorten it.` : null;
}

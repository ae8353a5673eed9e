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

/** Lists what is wrong with an address, all at once, before it is sent. The api decides; it has more rules. */
export function listUrlFaults(text: string): string[] {
  const url = text.trim();
  if (url === '') return ['Enter a URL.'];
  const faults = [
    !/^https:\/\//i.test(url) && !/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/?#]|$)/i.test(url)
      ? 'It must begin with https://. Only addresses of your own machine may begin with http://.'
      : '',
    url.includes('#') ? 'It must have no fragment: remove “#” and what follows it.' : '',
    /\s/.test(url) ? 'It must have no spaces.' : '',
    /^https?:\/\/[^/?#]*@/i.test(url) ? 'It must have no name and password.' : '',
    /[?&]ss_/.test(url) ? 'It must have no parameter that begins with ss_: the service adds its own.' : '',
  ].filter((fault) => fault !== '');
  return faults.length === 0 && !URL.canParse(url)
    ? ['This is not a URL, such as https://app.example/connected.']
    : faults;
}

/** The address as a browser sends it: `https://ä.example/zurück` becomes `https://xn--4ca.example/zur%C3%BCck`. ASCII stays as it is. */
export function toBrowserUrl(text: string): string {
  const url = text.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII.
  if (/^[\x00-\x7f]*$/.test(url) || !URL.canParse(url)) return url;
  const { href } = new URL(url);
  return href;
}

/** The most characters of an app's name. */
export const NAME_LENGTH = 100;

const lengthOf = (text: string): number => [...text.trim()].length;

/** Says how many characters a field takes, once most of them are used. */
export const describeLength = (text: string, most: number): string | undefined =>
  lengthOf(text) > most * 0.8 ? `${lengthOf(text)} of ${most} characters` : undefined;

/** What is wrong with the name of an app; null if nothing is. */
export function findNameFault(name: string): string | null {
  if (name.trim() === '') return 'Enter a name. People see it while they connect an account.';
  const length = lengthOf(name);
  return length > NAME_LENGTH
    ? `The name has ${length} characters, and ${NAME_LENGTH} are the most. Shorten it.`
    : null;
}

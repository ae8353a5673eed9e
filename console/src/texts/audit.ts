import { PLATFORM_NAMES, PROVIDER_NAMES } from '../../../src/basics/codes.ts';
import type { AuditEntryDetailsFragment, AuditThingKind, JobKind } from '../generated/operations.ts';
import { shortenId } from './format.ts';
import { JOB_TITLES } from './jobs.ts';

type Thing = AuditEntryDetailsFragment['things'][number];

/** `setRefreshPolicy` as `set refresh policy`. */
const splitWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\burl\b/, 'URL');

/** A command that only the command line has: its first word is a noun. */
const isCommand = (action: string): boolean => action.includes(' ');

/** The name of an act in words. A command of the command line has them already. */
export const describeAction = (action: string): string => {
  const words = splitWords(action);
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
};

/** Operations whose names are no sentence: reads of persons have no verb. */
const SENTENCES: Readonly<Record<string, string>> = {
  connection: 'read connection',
  connections: 'read connections',
  person: 'read person',
  find: 'search',
  setDisconnectAfter: 'set disconnect delay',
  disconnectAll: 'disconnect all connections',
};

const toSentence = (action: string): string => SENTENCES[action] ?? splitWords(action);

/** The past tense of verbs that do not take “-ed”. */
const PASTS: Readonly<Record<string, string>> = {
  set: 'set',
  stop: 'stopped',
  retry: 'retried',
  send: 'sent',
  read: 'read',
  run: 'ran',
};

const toPast = (verb: string): string => PASTS[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb}ed`);

/** The word before the first thing, where it is not `of`. */
const PREPOSITIONS: Readonly<Record<string, string>> = {
  add: 'to',
  remove: 'from',
  send: 'to',
  redeliver: 'to',
  sign: 'with',
  search: 'for',
};

/** The words before further things, by their kind: an app owns the first thing, a job or receipt comes of the act. */
const BETWEEN: Partial<Readonly<Record<AuditThingKind, string>>> = {
  APP: 'for',
  JOB: 'with',
  BULK_DISCONNECT: 'as',
  ERASURE: 'with',
  CONNECTION: 'of',
  ISSUER: 'at',
  WEBHOOK_ENDPOINT: 'to',
};

/** Operations with a word before each of their things. */
const ACTS: Readonly<Record<string, { readonly done: string; readonly tried: string; readonly between: string }>> = {
  serveApp: { done: 'let', tried: 'let', between: 'serve' },
  stopServingApp: { done: 'stopped', tried: 'stop', between: 'from serving' },
};

/** How the name of an operation ends if it acts on things of a kind, where that is not the kind's own name. */
const NAMES: Partial<Readonly<Record<AuditThingKind, string>>> = {
  ISSUER: 'identity issuer',
  WEBHOOK_DELIVERY: 'redeliver webhook',
};

const nameOf = (kind: AuditThingKind): string => NAMES[kind] ?? KINDS[kind].toLowerCase();

/** Whether words such as `create webhook endpoint` or `retry jobs` end with the name of a kind. */
const endsWithName = (words: string, kind: AuditThingKind): boolean =>
  ` ${words.replace(/s$/, '')}`.endsWith(` ${nameOf(kind)}`);

/** `createWebhookEndpoint` names its endpoint first, then the app that it belongs to. */
export function orderThings<T extends Pick<Thing, 'kind'>>(action: string, things: readonly T[]): readonly T[] {
  if (action in ACTS) return things;
  const isObject = ({ kind }: T) => endsWithName(toSentence(action), kind);
  return [...things.filter(isObject), ...things.filter((thing) => !isObject(thing))];
}

/**
 * The words before each thing of an act, such as `paused`, `set policy of` or, for an act that was refused or failed, `tried to
 * pause`; the act alone if it has none.
 */
export function describeAct(
  action: string,
  things: readonly Pick<Thing, 'kind'>[],
  isDone: boolean,
): readonly [string, ...string[]] {
  const act = ACTS[action];
  if (act !== undefined && things.length > 1) return [isDone ? act.done : `tried to ${act.tried}`, act.between];
  const [first, ...others] = things;
  const between = others.map(({ kind }) =>
    kind === first?.kind || action === 'find' ? 'and' : (BETWEEN[kind] ?? 'and'),
  );
  const words = toSentence(action);
  const [verb = '', ...rest] = isCommand(action) ? ['run', `“${action}”`] : words.split(' ');
  const shownVerb = isDone ? toPast(verb) : `tried to ${verb}`;
  const object = rest.join(' ');
  if (first === undefined) return [[shownVerb, object].filter((part) => part !== '').join(' ')];
  // The thing repeats its kind: `rotated secret of registration “Live TikTok”`.
  const left = endsWithName(words, first.kind) ? '' : ` ${object} `.replace(` ${nameOf(first.kind)} `, ' ').trim();
  const preposition = isCommand(action) ? 'for' : (PREPOSITIONS[verb] ?? 'of');
  const parts =
    verb === 'search' ? [shownVerb, preposition] : left === '' ? [shownVerb] : [shownVerb, left, preposition];
  return [parts.join(' '), ...between];
}

/** `PROVIDER_A.quotaPercent` as `quota percent at YouTube`. */
export function describeSetting(setting: string): string {
  const [place = '', name] = setting.split('.');
  if (name === undefined) return splitWords(place);
  const provider = PROVIDER_NAMES.find((one) => one === place);
  return provider === undefined
    ? `${splitWords(name)} of ${splitWords(place)}`
    : `${splitWords(name)} at ${PLATFORM_NAMES[provider]}`;
}

const KINDS: Readonly<Record<AuditThingKind, string>> = {
  APP: 'App',
  KEY: 'Key',
  REGISTRATION: 'Registration',
  ISSUER: 'Sign-in issuer',
  ADMIN_TOKEN: 'Admin token',
  WEBHOOK_ENDPOINT: 'Webhook endpoint',
  WEBHOOK_DELIVERY: 'Delivery',
  CONNECTION: 'Connection',
  ATTEMPT: 'Attempt',
  JOB: 'Job',
  BULK_DISCONNECT: 'Bulk disconnect',
  ERASURE: 'Erasure receipt',
};

/** `Registration “Live TikTok”`, `Connection at YouTube`, `Job: Revoke`. Its id stands beside it. */
export function describeThing({ kind, name }: Thing): string {
  if (name === null) return KINDS[kind];
  const provider = PROVIDER_NAMES.find((one) => one === name);
  if (provider !== undefined) return `${KINDS[kind]} at ${PLATFORM_NAMES[provider]}`;
  return kind === 'JOB' ? `Job: ${JOB_TITLES[name as JobKind]}` : `${KINDS[kind]} “${name}”`;
}

/** The page of a thing. */
export function getThingPath({ kind, id, appId }: Thing): string {
  switch (kind) {
    case 'APP':
      return `/apps/${id}`;
    case 'KEY':
      return `/apps/${appId}#keys`;
    case 'REGISTRATION':
      return `/registrations/${id}`;
    case 'ISSUER':
      return `/issuers/${id}`;
    case 'ADMIN_TOKEN':
      return '/tokens';
    case 'WEBHOOK_ENDPOINT':
      return `/webhooks/${id}`;
    case 'WEBHOOK_DELIVERY':
      return `/webhooks/deliveries/${id}`;
    case 'CONNECTION':
      return `/connections/${id}`;
    case 'ATTEMPT':
      return `/attempts/${id}`;
    case 'JOB':
      return `/jobs/${id}`;
    case 'BULK_DISCONNECT':
      return `/disconnects/${id}`;
    case 'ERASURE':
      return `/erasures/${id}`;
  }
}

const CSV_COLUMNS = [
  'time',
  'actor',
  'actor label',
  'action',
  'target',
  'things',
  'changes',
  'outcome',
  'related',
  'correlation id',
];

/** A spreadsheet must not read a cell as a formula. */
const toCell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** Entries as lines of a CSV file (RFC 4180), with its head. */
export const toCsv = (entries: readonly AuditEntryDetailsFragment[]): string[] => [
  `${CSV_COLUMNS.map(toCell).join(',')}\r\n`,
  ...entries.map((entry) => {
    const changes = entry.changes.map(({ setting, from, to }) => `${setting}: ${from ?? 'none'} → ${to ?? 'none'}`);
    const cells = [
      entry.happenedAt,
      entry.actor,
      entry.actorLabel ?? '',
      entry.action,
      entry.target ?? '',
      entry.things.map((thing) => `${describeThing(thing)} ${shortenId(thing.id)}`).join('; '),
      changes.join('; '),
      entry.outcome,
      entry.related.join(' '),
      entry.correlationId ?? '',
    ];
    return `${cells.map(toCell).join(',')}\r\n`;
  }),
];

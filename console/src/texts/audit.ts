import { PLATFORM_NAMES, PROVIDER_NAMES } from '../../../src/basics/codes.ts';
import type { AuditEntryDetailsFragment, AuditThingKind, JobKind } from '../generated/operations.ts';
import { shortenId } from './format.ts';
import { JOB_TITLES } from './jobs.ts';

type Thing = AuditEntryDetailsFragment['things'][number];

/** `setRefreshPolicy` as `set refresh policy`. */
const splitWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The name of an act in words. A command of the command line has them already. */
export const describeAction = (action: string): string => {
  const words = splitWords(action);
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
};

/** The past tense of operations whose first verb does not take “-ed”, and of reads, which have no verb. */
const PASTS: Readonly<Record<string, string>> = {
  set: 'set',
  stop: 'stopped',
  retry: 'retried',
  send: 'sent',
  find: 'searched for',
  connection: 'read connection',
  connections: 'read connections',
  person: 'read person',
};

/** The same for an act that was refused or failed. */
const INFINITIVES: Readonly<Record<string, string>> = {
  find: 'search for',
  connection: 'read connection',
  connections: 'read connections',
  person: 'read person',
};

const toPast = (verb: string): string => PASTS[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb}ed`);

/** Operations with a word before each of their things. */
const ACTS: Readonly<Record<string, { readonly done: string; readonly tried: string; readonly between: string }>> = {
  serveApp: { done: 'let', tried: 'let', between: 'serve' },
  stopServingApp: { done: 'stopped', tried: 'stop', between: 'from serving' },
};

/** `createWebhookEndpoint` names its endpoint first, then the app that it belongs to. */
export function orderThings<T extends Pick<Thing, 'kind'>>(action: string, things: readonly T[]): readonly T[] {
  if (action in ACTS) return things;
  const words = splitWords(action);
  const isObject = ({ kind }: T) => words.endsWith(` ${KINDS[kind].toLowerCase()}`);
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
  const [verb = '', ...rest] = splitWords(action).split(' ');
  const words = [isDone ? toPast(verb) : `tried to ${INFINITIVES[verb] ?? verb}`, ...rest].join(' ');
  const [first] = things;
  if (first === undefined) return [words];
  const kind = ` ${KINDS[first.kind].toLowerCase()}`; // The thing repeats it.
  return [words.endsWith(kind) ? words.slice(0, -kind.length) : `${words} of`, ...things.slice(1).map(() => 'for')];
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

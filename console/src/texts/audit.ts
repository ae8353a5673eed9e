import { PLATFORM_NAMES, PROVIDER_NAMES } from '../../../src/basics/codes.ts';
import type { AuditEntryDetailsFragment, AuditThingKind, JobKind } from '../generated/operations.ts';
import { formatCount, isId, shortenId } from './format.ts';
import { JOB_TITLES } from './jobs.ts';
import { formatLocal } from './time.ts';

type Entry = AuditEntryDetailsFragment;
type Thing = Entry['things'][number];
type Change = Entry['changes'][number];

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

/** `createWebhookEndpoint` names its endpoint first, then the app that it belongs to. @internal */
export function orderThings<T extends Pick<Thing, 'kind'>>(action: string, things: readonly T[]): readonly T[] {
  if (action in ACTS) return things;
  const isObject = ({ kind }: T) => endsWithName(toSentence(action), kind);
  return [...things.filter(isObject), ...things.filter((thing) => !isObject(thing))];
}

const DRY_RUN = 'did a dry run:';
const REFUSED_DRY_RUN = 'REFUSED_DRY_RUN';

/** The verb of an act that was done, of a dry run, or of an act that was refused or failed. */
function conjugate(outcome: string, past: string, verb: string): string {
  if (outcome === 'DONE') return past;
  if (outcome === 'DRY_RUN') return `${DRY_RUN} ${verb}`;
  return outcome === REFUSED_DRY_RUN ? `tried a dry run: ${verb}` : `tried to ${verb}`;
}

/**
 * The words before each kind of thing of an act, such as `paused`, `set policy of` or `tried to pause`; the act alone if it has none.
 */
export function describeAct(
  action: string,
  things: readonly Pick<Thing, 'kind'>[],
  outcome: string,
): readonly [string, ...string[]] {
  const act = ACTS[action];
  if (act !== undefined && things.length > 1) return [conjugate(outcome, act.done, act.tried), act.between];
  const [first, ...others] = things;
  const between = others.map(({ kind }) => (action === 'find' ? 'and' : (BETWEEN[kind] ?? 'and')));
  const words = toSentence(action);
  const [verb = '', ...rest] = isCommand(action) ? ['run', `“${action}”`] : words.split(' ');
  const shownVerb = conjugate(outcome, toPast(verb), verb);
  const object = rest.join(' ');
  if (first === undefined) return [[shownVerb, object].filter((part) => part !== '').join(' ')];
  // The thing repeats its kind: `rotated secret of registration “Live TikTok”`.
  const left = endsWithName(words, first.kind) ? '' : ` ${object} `.replace(` ${nameOf(first.kind)} `, ' ').trim();
  const preposition = isCommand(action) ? 'for' : (PREPOSITIONS[verb] ?? 'of');
  const parts =
    verb === 'search' ? [shownVerb, preposition] : left === '' ? [shownVerb] : [shownVerb, left, preposition];
  return [parts.join(' '), ...between];
}

/** A part of a sentence: words, a thing, or the name of one that has no row, such as a tenant. */
export type SentencePart = string | { readonly thing: Thing } | { readonly name: string };

/** A list names so many things of a kind, and counts the others. */
const MAX_NAMED = 2;

/** Whether it is the keyed hash of a tenant or a subject. */
const isOwner = (name: string): boolean => /^(tenant|subject):/.test(name);

/** An entry without its operator, as parts that a space separates. */
export function describeEntry({ action, outcome, target, related, things }: Entry): SentencePart[] {
  const names = [...new Set([target, ...related])].filter((name) => name !== null);
  const missing = names.filter((name) => isId(name) && things.every(({ id }) => id !== name));
  const object = target !== null && missing.includes(target) ? findObject(action, target) : undefined;
  const ordered = orderThings(action, object === undefined ? things : [object, ...things]);
  // What else an act was about is not its object: without a row, such as an erased connection, it stays unnamed.
  const gone = target === null || ordered.length === 0 ? missing : [];
  const kinds = [...new Set(ordered.map(({ kind }) => kind))];
  const groups = kinds.map((kind) => ordered.filter((thing) => thing.kind === kind));
  const owners = names.filter(isOwner);
  const isRetry = action === 'retryJobs' && outcome === 'DONE';
  const told = isRetry
    ? describeRetries(groups, gone.length)
    : describeOthers(
        describeAct(
          action,
          kinds.map((kind) => ({ kind })),
          outcome !== 'DRY_RUN' && related.includes('DRY_RUN') ? REFUSED_DRY_RUN : outcome,
        ),
        groups,
        gone,
      );
  // Such as the origin of a return URL: the changes only count the URLs.
  const addresses = names.filter((name) => /^https?:/.test(name));
  const named = addresses.length === 0 ? [] : [`(${addresses.join(', ')})`];
  return [...told, ...named, ...owners.flatMap((name) => [',', { name }])];
}

/** The thing that an act such as `disconnectConnection` is about, if it no longer exists. */
function findObject(action: string, id: string): Thing | undefined {
  const kind = (Object.keys(KINDS) as AuditThingKind[]).find((one) => endsWithName(toSentence(action), one));
  return kind && { kind, id, name: null, appId: null, exists: false };
}

/** Things that no longer exist have no name: their ids stand for them if nothing else does. */
function describeOthers(words: readonly string[], groups: readonly Thing[][], gone: readonly string[]): SentencePart[] {
  const shown = groups.length === 0 ? gone.slice(0, MAX_NAMED) : [];
  const more = gone.length - shown.length;
  return [
    ...(groups.length === 0 ? words.slice(0, 1) : []),
    ...groups.flatMap((group, at) => [words[at] ?? 'and', ...nameSome(group, group.length)]),
    ...shown.map((name) => ({ name })),
    ...(more > 0 ? [`and ${more.toLocaleString('en')} more that no longer ${more === 1 ? 'exists' : 'exist'}`] : []),
  ];
}

/** A bulk retry: `retried 5 jobs: revoke 5f85…, revoke 6ece… and 3 more for app “Pier”`. The ids of deleted jobs count, too. */
function describeRetries(groups: readonly Thing[][], gone: number): SentencePart[] {
  const jobs = groups.find(([thing]) => thing?.kind === 'JOB') ?? [];
  const count = jobs.length + gone;
  const rest = groups.filter((group) => group !== jobs);
  const others = rest.flatMap((group) => [BETWEEN[group[0]?.kind ?? 'APP'] ?? 'and', ...nameSome(group, group.length)]);
  if (count === 0) return ['retried no jobs', ...others];
  if (count === 1 && jobs.length === 1) return ['retried', ...nameSome(jobs, 1), ...others];
  const counted = `retried ${formatCount(count, 'job')}`;
  return jobs.length === 0 ? [counted, ...others] : [`${counted}:`, ...nameSome(jobs, count), ...others];
}

/** `a`, `a and b`, or `a, b and 3 more`. */
function nameSome(things: readonly Thing[], count: number): SentencePart[] {
  const named = things.slice(0, MAX_NAMED);
  const more = count - named.length;
  return [
    ...named.flatMap((thing, at): SentencePart[] => (at === 0 ? [{ thing }] : [more > 0 ? ',' : 'and', { thing }])),
    ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : []),
  ];
}

/** The states of a boolean setting: once it is true, and once it is not. */
const STATES: Readonly<Record<string, readonly [string, string]>> = {
  isPaused: ['paused', 'no longer paused'],
  isRefused: ['refused by the provider', 'refusal cleared: the client will be tried'],
  isDoubted: ['in doubt, because many accounts are refused', 'no longer in doubt'],
  isQuotaSpent: ['quota used up', 'quota no longer used up'],
  enabled: ['enabled', 'disabled'],
  active: ['active', 'no longer active'],
  'signIn.enabled': ['sign-in enabled', 'sign-in disabled'],
};

const WORDS: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };
const toWord = (value: string | null): string =>
  value === null ? 'none' : (WORDS[value] ?? (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? formatLocal(value) : value));

/** `name: Harbour → Pier`, or `no longer paused`. */
export function describeChange({ setting, from, to }: Change): string {
  const state = STATES[setting];
  if (state !== undefined && (to === 'true' || (to === 'false' && from === 'true')))
    return state[to === 'true' ? 0 : 1];
  return `${describeSetting(setting)}: ${toWord(from)} → ${toWord(to)}`;
}

/** `PROVIDER_A.quotaPercent` as `quota percent at YouTube`. */
function describeSetting(setting: string): string {
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
function describeThing({ kind, name }: Thing): string {
  if (name === null) return KINDS[kind];
  const provider = PROVIDER_NAMES.find((one) => one === name);
  if (provider !== undefined) return `${KINDS[kind]} at ${PLATFORM_NAMES[provider]}`;
  return kind === 'JOB' ? `Job: ${JOB_TITLES[name as JobKind]}` : `${KINDS[kind]} “${name}”`;
}

/** The same within a sentence: `registration “Live TikTok”`, `revoke`. */
export function nameThing(thing: Thing): string {
  const name = thing.kind === 'JOB' && thing.name !== null ? JOB_TITLES[thing.name as JobKind] : describeThing(thing);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** A keyed hash identifies a tenant or a subject without revealing it. */
export const nameUnknown = (name: string): string =>
  isOwner(name) ? name.replace(/^(tenant|subject):(.{8}).*$/, '$1 $2…') : shortenId(name);

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

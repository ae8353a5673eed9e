import type { Operation } from '../domain/rules/roles.ts';
import { ENUMS, INPUTS, OPERATIONS } from '../generated/admin-operations.ts';
import type { Command, OptionShape } from './shape.ts';

/** What a command has besides what admin.graphql declares. */
export type More = Partial<Omit<Command, 'kind' | 'options' | 'isPaged' | 'fields'>> & {
  /** What is selected, if it is not what `SELECTIONS` has for the type of the answer. */
  readonly select?: string;
  /** A second operation that the command sends, with the same options. */
  readonly also?: Command['fields'][number];
  /** What differs in an option; null for none. The key is the argument's name. */
  readonly args?: Readonly<Record<string, (Partial<OptionShape> & { readonly option?: string }) | null>>;
  /** Options that only `show` reads. */
  readonly local?: Readonly<Record<string, OptionShape>>;
};

/** The option of an argument and the word for its value, where they do not follow from its name and type. */
const OPTIONS: Readonly<Record<string, readonly [option: string, placeholder: string, more?: Partial<OptionShape>]>> = {
  tenantKey: ['tenant', 'TENANT_KEY'],
  externalSubjectId: ['subject', 'SUBJECT', { isPerson: true }],
  clientId: ['client-id', 'ID'],
  requestsPerSecond: ['rate', 'REQUESTS'],
  refreshMinutes: ['minutes', 'MINUTES'],
  refreshDays: ['days', 'DAYS'],
  refreshPosts: ['posts', 'POSTS'],
  withinDays: ['days', 'DAYS'],
  quotaPercent: ['quota-percent', 'PERCENT'],
  capabilities: ['capability', 'CAPABILITY'],
  permissions: ['permission', 'NAME'],
  eventTypes: ['event', 'TYPE'],
  eventType: ['event', 'TYPE'],
  statuses: ['status', 'STATUS'],
  kinds: ['kind', 'KIND'],
  lastFailure: ['reason', 'CODE'],
  retriedBy: ['retried-by', 'CORRELATION_ID'],
  resultCode: ['result', 'CODE'],
  lastAnswer: ['answer', 'ANSWER'],
  tokenAuthMethod: ['auth', 'METHOD'],
  image: ['file', 'FILE', { kind: 'file' }],
  color: ['color', '#RRGGBB'],
  after: ['after', 'CURSOR'],
  target: ['target', 'ID'],
  search: ['search', 'TEXT'],
  issuer: ['issuer', 'URL'],
};
/** What `id` is about, by the first word of the command. */
const IDS: Readonly<Record<string, string>> = {
  admin: 'token',
  disconnects: 'bulk-disconnect',
  webhook: 'endpoint',
  live: 'id',
};
/** Arguments that no option sets. A secret comes from standard input. */
const SECRETS = ['clientSecret', 'secret'];
const WITHOUT_OPTION = [...SECRETS, 'first', 'showNames'];
const KINDS: Readonly<Record<string, OptionShape['kind']>> = { Int: 'number', Boolean: 'flag' };

const toKebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const toConstant = (words: string) => words.replaceAll('-', '_').toUpperCase();

interface Argument {
  readonly name: string;
  /** In the variables, such as `input.appId`. */
  readonly path: string;
  /** As admin.graphql writes it, such as `[Capability!]!`. */
  readonly type: string;
}

/** The arguments of an operation, and the fields of its input or filter in their place. */
function listArguments(operation: Operation): Argument[] {
  const args: Readonly<Record<string, string>> = OPERATIONS[operation].args;
  return Object.entries(args).flatMap(([name, type]) => {
    const fields = INPUTS[type.replace('!', '')];
    if (fields === undefined) return [{ name, path: name, type }];
    return Object.entries(fields).map(([field, inner]) => ({ name: field, path: `${name}.${field}`, type: inner }));
  });
}

function nameOption(command: string, { name, type }: Argument): readonly [string, string, Partial<OptionShape>?] {
  const known = OPTIONS[name];
  if (known !== undefined) return known;
  if (name === 'id') {
    const [noun = ''] = command.split(' ');
    const what = IDS[noun] ?? noun.replace(/s$/, '');
    return [what, what === 'id' ? 'ID' : `${toConstant(what)}_ID`];
  }
  if (name.endsWith('Id')) return [toKebab(name.slice(0, -2)), toConstant(toKebab(name))];
  if (type.startsWith('DateTime')) return [toKebab(name.replace(/At$/, '')), 'ISO_8601'];
  const option = toKebab(name);
  return [option, toConstant(option.replace(/.*-/, ''))];
}

/** Completes an option by what admin.graphql declares of its argument. */
function toOption(operation: Operation, command: string, argument: Argument, { args = {}, fixed = {} }: More) {
  const { name, path, type } = argument;
  const { option: renamed, ...more } = args[name] ?? {};
  const [option, word, usual] = nameOption(command, argument);
  const named = type.replaceAll(/[[\]!]/g, '');
  const hasDefault = (OPERATIONS[operation].cleared as readonly string[]).includes(name);
  const values = more.values ?? ENUMS[named];
  const kind = type.startsWith('[') ? 'list' : (KINDS[named] ?? 'text');
  const shape: OptionShape = {
    kind,
    isRequired: type.endsWith('!') && !hasPath(fixed, path),
    path,
    ...(kind !== 'flag' && { placeholder: hasDefault ? `${word}|default` : word }),
    ...(hasDefault && { hasDefault }),
    ...usual,
    ...more,
    ...(values && { values: hasDefault ? [...values, 'default'] : values }),
  };
  return [renamed ?? option, shape] as const;
}

function hasPath(fixed: Readonly<Record<string, unknown>>, path: string): boolean {
  const [name = '', ...rest] = path.split('.');
  if (!Object.hasOwn(fixed, name)) return false;
  return rest.length === 0 || hasPath((fixed[name] ?? {}) as Readonly<Record<string, unknown>>, rest.join('.'));
}

/** Builds a command of an operation. @param selections by the type of the answer. */
export function deriveCommand(
  name: string,
  operation: Operation,
  group: string,
  selections: Readonly<Record<string, string>>,
  more: More = {},
): Command {
  const { kind, summary, returns, args } = OPERATIONS[operation];
  const { select: chosen, also, args: _, local = {}, ...rest } = more;
  const isPaged = 'first' in args && 'after' in args;
  const given = listArguments(operation);
  const secret = given.find((one) => SECRETS.includes(one.name))?.path;
  const isSet = (argument: Argument) => {
    const isLeftOut = WITHOUT_OPTION.includes(argument.name) || more.args?.[argument.name] === null;
    return !isLeftOut && !(isPaged && argument.name === 'after') && !isAlwaysFixed(argument, more);
  };
  const options = given.filter(isSet).map((argument) => toOption(operation, name, argument, more));
  const isRequired = ([, shape]: readonly [string, OptionShape]) => shape.isRequired;
  const select = chosen ?? selections[returns.replace(/Page$/, '')] ?? '';
  return {
    group,
    summary,
    kind,
    isPaged,
    options: {
      ...Object.fromEntries([...options.filter(isRequired), ...options.filter((option) => !isRequired(option))]),
      ...local,
    },
    fields: [
      { name: operation, select: isPaged ? `items { ${select} } pageInfo { endCursor hasNextPage }` : select },
      ...(also === undefined ? [] : [also]),
    ],
    ...(secret !== undefined && { secret }),
    ...rest,
  };
}

/** A value that the command itself chooses, unless `args` names an option for it. */
const isAlwaysFixed = ({ name, path }: Argument, { args = {}, fixed = {} }: More): boolean =>
  hasPath(fixed, path) && !(name in args);

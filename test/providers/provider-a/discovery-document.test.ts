import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CHANNEL_PARTS, PLAYLIST_ITEM_PARTS, VIDEO_PARTS } from '../../../sandbox/src/a/resources.ts';
import { observeAnswers, type ReadAnswer } from '../../../src/providers/answers.ts';
import { DAY_MS } from '../../kit/clock.ts';
import { call } from '../../kit/fake-platform.ts';
import { useContract } from '../contract.ts';
import {
  type DiscoveryDocument,
  type DiscoveryMethod,
  type DiscoveryParameter,
  type DiscoverySchema,
  findDiscoveryDocument,
  findMethod,
  resolve,
} from '../discovery-document.ts';

/** Google's own description of its API, against the adapter and the sandbox. */
const READ_CHANNEL = 'https://www.googleapis.com/auth/youtube.readonly';
const PARTS = { channels: CHANNEL_PARTS, playlistItems: PLAYLIST_ITEM_PARTS, videos: VIDEO_PARTS };
type Route = keyof typeof PARTS;
const ROUTES = Object.keys(PARTS) as Route[];

const contract = useContract('PROVIDER_A');
let document: DiscoveryDocument;
beforeAll(async () => {
  document = await findDiscoveryDocument();
});

let reads: ReadAnswer[] = [];
beforeEach(() => {
  reads = [];
  observeAnswers((read) => reads.push(read));
});
afterEach(() => observeAnswers(undefined));

const methodOf = (route: Route): DiscoveryMethod =>
  findMethod(document, `youtube/v3/${route}`) ?? expect.fail(`Google describes no ${route}.`);

/** The resource that a list returns. A part is one of its members (YouTube Data API, the parameter `part`). */
function itemOf(method: DiscoveryMethod): DiscoverySchema {
  const { items } = resolve(document, method.response).properties ?? {};
  return resolve(document, items?.items ?? {});
}

/** Drives every call that the adapter makes, for every account. */
async function useEverything(): Promise<void> {
  const now = Date.parse(contract.control.clock().now);
  const window = { publishedAfter: new Date(now - 89 * DAY_MS), publishedBefore: new Date(now) };
  for (const owner of contract.control.accounts('PROVIDER_A')) {
    if (owner.traits.includes('noChannel')) continue;
    const { access } = await contract.connect(owner);
    await contract.provider.readAccount(access, call());
    await contract.scan(access, window);
    const { items: posts } = await contract.scan(access, window, { withMetrics: true });
    const ids = posts.slice(0, 3).map(({ providerContentId }) => providerContentId);
    await contract.provider.readContent(access, { providerContentIds: ids, withMetrics: true }, call());
  }
}

function isValueOf({ type, minimum, maximum, enum: words }: DiscoveryParameter, value: string): boolean {
  if (words !== undefined) return words.includes(value);
  if (type === 'boolean') return ['true', 'false'].includes(value);
  if (type !== 'integer') return true;
  return /^\d+$/.test(value) && Number(value) >= Number(minimum ?? 0) && Number(value) <= Number(maximum ?? value);
}

/** The parts that a request has, or lacks, by Google's description. */
function listRequestFaults(route: Route, sent: Readonly<Record<string, unknown>>): string[] {
  const method = methodOf(route);
  const known = { ...document.parameters, ...method.parameters };
  const missing = Object.keys(known).filter((name) => known[name]?.required && sent[name] === undefined);
  const wrong = Object.entries(sent).filter(([name, value]) => {
    const parameter = known[name];
    const values = parameter?.repeated ? String(value).split(',') : [String(value)];
    return parameter === undefined || !values.every((one) => isValueOf(parameter, one));
  });
  const parts = String(sent.part).split(',');
  const unknown = parts.filter((part) => itemOf(method).properties?.[part] === undefined);
  return [...missing, ...wrong.map(([name]) => name), ...unknown.map((part) => `part ${part}`)];
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema;
}

/** The parts that an adapter reads and Google does not describe: other fields, other types, instants that are none. */
function listFieldFaults(read: JsonSchema, given: DiscoverySchema, at: string): string[] {
  const described = resolve(document, given);
  if (read.anyOf !== undefined) {
    const fitting = read.anyOf.map((one) => listFieldFaults(one, described, at)).sort((a, b) => a.length - b.length);
    return fitting[0] ?? [];
  }
  if (read.properties !== undefined || read.additionalProperties !== undefined) {
    const members = described.properties;
    if (members === undefined) return [`${at}: no object`];
    const named = Object.entries(read.properties ?? {}).flatMap(([name, member]) => {
      const known = members[name];
      return known === undefined ? [`${at}.${name}: unknown`] : listFieldFaults(member, known, `${at}.${name}`);
    });
    const { additionalProperties: every } = read;
    const others = every === undefined ? [] : Object.entries(members);
    return [...named, ...others.flatMap(([name, one]) => listFieldFaults(every ?? {}, one, `${at}.${name}`))];
  }
  if (read.items !== undefined) {
    return described.items === undefined ? [`${at}: no list`] : listFieldFaults(read.items, described.items, `${at}[]`);
  }
  const types = [read.type ?? []].flat();
  const sent = described.type ?? 'object';
  const fits = types.length === 0 || types.includes(sent) || (sent === 'integer' && types.includes('number'));
  if (!fits) return [`${at}: a ${sent}`];
  return read.pattern !== undefined && described.format !== 'date-time' ? [`${at}: no instant`] : [];
}

/** Finds the description of an answer by its kind. */
const findResponse = (json: unknown): DiscoverySchema | undefined => {
  const { kind } = { kind: undefined, ...(json as object) };
  return Object.values(document.schemas).find(
    ({ properties }) => kind !== undefined && properties?.kind?.default === kind,
  );
};

describe('the adapter', () => {
  test('sends only requests that Google describes', async () => {
    await useEverything();
    for (const route of ROUTES) {
      const calls = contract.control.calls({ route });
      expect(calls.length, route).toBeGreaterThan(0);
      const faults = calls.flatMap(({ parameters }) => listRequestFaults(route, parameters));
      expect(new Set(faults), route).toEqual(new Set());
      expect(methodOf(route).scopes).toContain(READ_CHANNEL);
    }
  });

  test('reads only fields that Google describes, in the types that it sends', async () => {
    await useEverything();
    const answers = new Map(
      reads.flatMap(({ where, schema, json }) => {
        const response = findResponse(json);
        return response === undefined ? [] : [[where, { schema, response }] as const];
      }),
    );
    expect([...answers.keys()].sort()).toEqual([
      'PROVIDER_A own channel',
      'PROVIDER_A uploads',
      'PROVIDER_A uploads list',
      'PROVIDER_A videos',
    ]);
    for (const [where, { schema, response }] of answers) {
      const read = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
      expect(listFieldFaults(read, response, ''), where).toEqual([]);
    }
  });
});

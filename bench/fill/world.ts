import { CAPABILITIES, PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import type { AppId, RegistrationId } from '../../src/basics/ids.ts';
import { insertReturnUrl } from '../../src/store/apps/addresses.ts';
import { insertApp } from '../../src/store/apps/apps.ts';
import { issueKey } from '../../src/store/apps/keys.ts';
import { updatePolicy } from '../../src/store/apps/policies.ts';
import { insertTenant } from '../../src/store/apps/tenants.ts';
import { updateRefreshPolicy } from '../../src/store/connections/automatic-refresh.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { insertRegistration, insertRegistrationApp } from '../../src/store/registrations/registrations.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import type { Mac } from '../../src/vault/mac.ts';
import type { Seal } from '../../src/vault/seal.ts';
import type { Cell } from './copy.ts';
import { type MadeUp, makeUp, scattered } from './made-up.ts';

/** The number of rows of each kind. */
export interface FillSizes {
  readonly connections: number;
  readonly posts: number;
  /** Open read jobs that are not overdue. */
  readonly jobs: number;
  /** Due rows of each kind for the sweeps, and as many that are not due yet; at most a tenth of the connections. */
  readonly due: number;
  readonly seed: number;
  /** Apps that share the connections evenly; 1 by default. A person belongs to one app. */
  readonly apps?: number | undefined;
  /** How many of the connections have posts; all by default. */
  readonly authors?: number | undefined;
}

export interface FilledApp {
  readonly appId: AppId;
  readonly key: string;
}

export interface FillKeys {
  readonly sealGrant: Seal;
  readonly sealInbox: Seal;
  readonly mac: Mac;
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const YEAR = 365 * DAY;

export const TENANT = 'fill';
export const RETURN_URL = 'https://caller.example/connected';

type Registrations = Readonly<Record<ProviderName, RegistrationId>>;

/** The input from which all rows are generated. */
export interface World extends Omit<FillSizes, 'apps' | 'authors'> {
  readonly keys: FillKeys;
  readonly madeUp: MadeUp;
  readonly nowMs: number;
  readonly apps: readonly [FilledApp, ...FilledApp[]];
  readonly authors: number;
  readonly registrations: Registrations;
  readonly connection: (index: number) => MadeConnection;
  /** The index of the connection that the `index`-th row belongs to, in rounds over all connections. */
  readonly turn: (index: number) => number;
}

export async function openWorld(sql: Database, sizes: FillSizes, keys: FillKeys): Promise<World> {
  const registrations = {} as Record<ProviderName, RegistrationId>;
  for (const provider of PROVIDER_NAMES) {
    const registration = { provider, label: `Filled ${provider}`, clientId: `fill-${provider.toLowerCase()}` };
    registrations[provider] = await insertRegistration(sql, registration, (id) =>
      keys.sealInbox('client-secret', associatedData.clientSecret(id)),
    );
  }
  const name = `Filled with ${sizes.connections} connections`;
  const apps: [FilledApp, ...FilledApp[]] = [await openApp(sql, name, registrations)];
  while (apps.length < (sizes.apps ?? 1)) apps.push(await openApp(sql, name, registrations));
  const [row] = await sql`select business_now() as now`;
  // Each fill of one database has ids of its own.
  const [fills] = await sql`select count(*)::int as count from app`;
  const madeUp = makeUp(sizes.seed * 1_000 + Number(fills?.count));
  const due = Math.min(sizes.due, Math.floor(sizes.connections / 10));
  const turn = scattered(sizes.connections);
  const authors = Math.min(sizes.authors ?? sizes.connections, sizes.connections);
  const base = { ...sizes, due, authors, keys, madeUp, nowMs: new Date(row?.now).getTime(), apps, registrations };
  return {
    ...base,
    turn: (index) => turn(index % sizes.connections),
    connection: (index) => makeConnection({ ...base, role: roleOf(turn(index), due) }, index),
  };
}

async function openApp(sql: Database, name: string, registrations: Registrations): Promise<FilledApp> {
  const appId = await insertApp(sql, name);
  await insertTenant(sql, appId, TENANT);
  await insertReturnUrl(sql, appId, RETURN_URL);
  for (const provider of PROVIDER_NAMES) {
    await insertRegistrationApp(sql, registrations[provider], appId);
    await updatePolicy(sql, appId, provider, { capabilities: CAPABILITIES });
    await updateRefreshPolicy(sql, appId, provider, { refreshMinutes: 1_440, refreshDays: 7, refreshPosts: 100 });
  }
  // The policy of one provider has just changed; the connections below are planned by the others.
  await sql`update app_policy set replanned_to = null where app_id = ${appId} and provider <> 'PROVIDER_C'`;
  const { key } = await issueKey(sql, appId, null);
  return { appId, key };
}

/** The state of a connection. Each of the first six has `due` connections. */
const ROLES = ['LOST', 'REVOKING', 'HELD', 'TENDED', 'OLD_PROFILE', 'RECONNECTING'] as const;
type Role = (typeof ROLES)[number] | 'USED';

const roleOf = (place: number, due: number): Role => (due === 0 ? 'USED' : (ROLES[Math.floor(place / due)] ?? 'USED'));

interface MadeConnection {
  readonly index: number;
  readonly id: string;
  readonly appId: AppId;
  readonly scopeId: string;
  readonly subject: string;
  readonly provider: ProviderName;
  readonly registrationId: RegistrationId;
  readonly role: Role;
  readonly status: string;
  readonly createdMs: number;
  readonly principal: string;
}

const STATUS: Readonly<Record<Role, string>> = {
  LOST: 'DISCONNECTED',
  REVOKING: 'DISCONNECTED',
  HELD: 'SUSPENDED',
  TENDED: 'CONNECTED',
  OLD_PROFILE: 'CONNECTED',
  RECONNECTING: 'RECONNECT_REQUIRED',
  USED: 'CONNECTED',
};

function makeConnection(world: Omit<World, 'connection' | 'turn'> & { role: Role }, index: number): MadeConnection {
  const { madeUp, connections, nowMs, apps, registrations, role } = world;
  // Every other person has accounts at two providers, except if a revoke would affect siblings.
  const person = role === 'USED' ? index - (index % 4 === 3 ? 1 : 0) : index;
  const provider = PROVIDER_NAMES[index % PROVIDER_NAMES.length] ?? 'PROVIDER_A';
  return {
    index,
    id: madeUp.id('connection', index),
    appId: (apps[Math.floor(person / 4) % apps.length] ?? apps[0]).appId,
    scopeId: madeUp.id('scope', person),
    subject: `person-${person}`,
    provider,
    registrationId: registrations[provider],
    role,
    status: STATUS[role],
    createdMs: Math.floor(nowMs - YEAR + (index / connections) * (YEAR - 2 * DAY)),
    principal: `account-${index}`,
  };
}

export function* connectionsOf(world: World): Generator<MadeConnection> {
  for (let index = 0; index < world.connections; index += 1) yield world.connection(index);
}

export function* indexes(count: number): Generator<number> {
  for (let index = 0; index < count; index += 1) yield index;
}

export const at = (ms: number) => new Date(ms);
/** Spreads instants between `now - toMs` and `now - fromMs`, in order of time. */
export const over = (world: World, index: number, count: number, fromMs: number, toMs: number) =>
  at(world.nowMs - toMs + Math.floor((index / Math.max(1, count)) * (toMs - fromMs)));
export const correlation = (world: World, kind: string, index: number) => world.madeUp.id(`correlation ${kind}`, index);
export const some = (values: readonly string[]) => `{${values.join(',')}}`;

export interface Table {
  readonly columns: readonly string[];
  made(world: World): Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>;
}

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFailed, onTestFinished } from 'vitest';
import { makeKeys } from '../../../local/src/development-keys.ts';
import type { ConnectDeps } from '../../../src/api/connect/flow.ts';
import { createHeldCallbacks } from '../../../src/api/connect/held-callbacks.ts';
import { createLogoRoutes } from '../../../src/api/connect/logo.ts';
import { createConnectRoutes } from '../../../src/api/connect/routes.ts';
import { createHttpApp } from '../../../src/api/http/server.ts';
import { sha256 } from '../../../src/api/tokens.ts';
import type { Capability, PageLanguage, ProviderName } from '../../../src/basics/codes.ts';
import { Secret } from '../../../src/basics/secret.ts';
import { logo } from '../../../src/domain/rules/input-rules.ts';
import type { Oidc } from '../../../src/identity/oidc.ts';
import { insertLaunchOrigin } from '../../../src/store/apps/addresses.ts';
import { updateApp } from '../../../src/store/apps/apps.ts';
import { deleteLogo, updateLogo } from '../../../src/store/apps/branding.ts';
import { createOpen } from '../../../src/vault/open.ts';
import { findNextUrl } from '../../kit/browser.ts';
import { checkBystanders } from '../../kit/bystanders.ts';
import { createDeps } from '../../kit/caller.ts';
import { keepLog } from '../../kit/keep-log.ts';
import { WAIT_LIMIT_MS } from '../../kit/limits.ts';
import { ofTheMoment } from '../../kit/of-the-moment.ts';
import { createCrowdedDatabase, type Database } from '../../kit/postgres.ts';
import { type SeededApp, seedApp } from '../../kit/seed.ts';
import { seedAttempt, seedSignIn } from '../../kit/seed-attempts.ts';
import { APP_ORIGIN, Browser, CONNECT_URL } from './browser.ts';

export const RETURN_URL = `${APP_ORIGIN}/accounts?tab=%20social&x=1+2`;
export const IDENTITY_RETURN_URL = `${APP_ORIGIN}/signed-in`;
export const ISSUER = 'https://issuer.example';
export const TENANT = 'tenant-7d1c';
const CAPABILITIES: Capability[] = ['PROFILE', 'CONTENT_LIST'];

const keys = await makeKeys();

/** An issuer that is always available, and promises to name itself. */
export const oidc: Oidc = {
  buildAuthorizationUrl: async ({ issuer, clientId }, { redirectUri, state, nonce, codeChallenge }) =>
    `${issuer}/authorize?${new URLSearchParams({ clientId, redirectUri, state, nonce, codeChallenge })}`,
  sendsIss: async () => true,
};

/** The routes with their own database, and one app with every permission. */
export async function openStage({
  providerUrl,
  holdMs = 0,
  mostHeld = 100,
  listensAt,
  ...changes
}: Partial<ConnectDeps> & { providerUrl?: string; holdMs?: number; mostHeld?: number; listensAt?: string } = {}) {
  const database = await createCrowdedDatabase();
  const { sql } = database;
  const { deps: shared, deliveryRequests } = await createDeps(sql, {
    suspendSiblings: true,
    environment: { ...keys, CONNECT_URL, ...(providerUrl && { PROVIDER_B_AUTHORIZE_URL: providerUrl }) },
  });
  const { log, lines } = keepLog();
  const held = createHeldCallbacks({
    sql: shared.sql,
    // A login that nothing else uses, so that a test can lock it out.
    databaseUrl: new Secret(listensAt ?? database.urls.readonly),
    log,
    holdMs,
    most: mostHeld,
  });
  const deps: ConnectDeps = {
    ...shared,
    connectUrl: CONNECT_URL,
    oidc,
    held,
    launchesPerAddress: 1_000,
    answerWithinMs: WAIT_LIMIT_MS,
    ...changes,
  };
  const http = createHttpApp({
    log,
    trustedProxies: 0,
    graphql: {},
    schemas: {},
    unready: async () => [],
    pages: [createLogoRoutes(deps), createConnectRoutes(deps)],
  });
  const seeded = await newApp(sql);
  return {
    sql,
    appId: seeded.app.appId,
    issuerId: seeded.issuerId,
    http,
    lines,
    databaseUrl: database.url,
    deliveryRequests,
    openInbox: await createOpen(JSON.parse(keys.VAULT_INBOX_PRIVATE_KEYS)),
    /** A new browser with its own address. */
    browser: () => {
      showTroubleOfFailedTest(lines);
      return new Browser(http, newAddress());
    },
    connectAttempt: (provider: ProviderName = 'PROVIDER_B') => newConnectAttempt(sql, seeded, provider),
    identityAttempt: () => newIdentityAttempt(sql, seeded),
    addLaunchOrigin: (origin: string) => insertLaunchOrigin(sql, seeded.app.appId, origin),
    /** The page of an app, by default of the one with attempts. */
    async brand(
      pageColor: string | null,
      pageLanguage: PageLanguage | null,
      image: Buffer | null,
      of = seeded.app.appId,
    ) {
      await updateApp(sql, of, { pageColor, pageLanguage });
      await deleteLogo(sql, of);
      if (image !== null) await updateLogo(sql, of, logo.parse(image));
    },
    async close() {
      await held.close();
      try {
        await checkBystanders(sql);
      } finally {
        await database.drop();
      }
    },
  };
}
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The stage of all tests of a file. */
export function useStage(): Stage {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());
  return ofTheMoment(() => stage);
}

/** A stage for one test. */
export async function openOwnStage(changes: Parameters<typeof openStage>[0]): Promise<Stage> {
  const stage = await openStage(changes);
  onTestFinished(stage.close);
  return stage;
}

/** If the current test fails, prints the log's further warnings and errors: a page does not show why it is a 503. */
function showTroubleOfFailedTest(lines: readonly string[]): void {
  const before = lines.length;
  onTestFailed(() => {
    const trouble = lines.slice(before).filter((line) => /"level":"(warn|error)"/.test(line));
    if (trouble.length > 0) console.error(trouble.join('\n'));
  });
}

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `10.0.${Math.floor(addresses / 256)}.${addresses % 256}`;
}

async function newApp(sql: Database): Promise<SeededApp> {
  const seeded = await seedApp(sql, {
    name: 'Rowan & <Friends>',
    tenantKey: TENANT,
    returnUrl: RETURN_URL,
    identityReturnUrl: IDENTITY_RETURN_URL,
    issuer: ISSUER,
    capabilities: CAPABILITIES,
  });
  await insertLaunchOrigin(sql, seeded.app.appId, 'https://other.example');
  await sql`
    update registration set client_id = 'client-of-' || provider where registration_id = any(${Object.values(seeded.registrations)}::uuid[])
  `;
  return seeded;
}

const newToken = () => randomBytes(32).toString('hex');

async function newConnectAttempt(sql: Database, seeded: SeededApp, provider: ProviderName) {
  const launchToken = newToken();
  const asked = { provider, capabilities: CAPABILITIES, launchTokenSha256: sha256(launchToken) };
  return { ...(await seedAttempt(sql, seeded, asked)), launchToken };
}

async function newIdentityAttempt(sql: Database, seeded: SeededApp) {
  const launchToken = newToken();
  const resultProof = newToken();
  const hashes = { launchTokenSha256: sha256(launchToken), resultProofSha256: sha256(resultProof) };
  return { ...(await seedSignIn(sql, seeded, hashes)), launchToken, resultProof };
}

/** The URL to which the page of a launch sends the browser. */
export async function nextUrlOf(response: Response): Promise<URL> {
  expect(response.status).toBe(200);
  return new URL(findNextUrl(await response.text()) ?? '');
}

/** The state in the URL to which a launch sent the browser. */
export const stateIn = async (response: Response): Promise<string> =>
  (await nextUrlOf(response)).searchParams.get('state') ?? '';

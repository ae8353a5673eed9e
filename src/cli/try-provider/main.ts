import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readConfig, type TrialConfig } from '../../config.ts';
import { OPERATORS_PERMIT } from '../../domain/permits.ts';
import { ServiceError } from '../../errors.ts';
import { createAdapters } from '../../providers/adapters.ts';
import { observeAnswers } from '../../providers/answers.ts';
import { createCatalog } from '../../providers/catalog.ts';
import type { ProviderFacts } from '../../providers/facts.ts';
import { createHttp } from '../../providers/http.ts';
import {
  CAPABILITIES,
  type Call,
  type Client,
  type Content,
  PROVIDER_NAMES,
  type Provider,
  ProviderError,
  type ProviderName,
  type Tokens,
} from '../../providers/provider.ts';
import { Secret } from '../../secret.ts';
import { readOptions } from '../read-options.ts';
import { awaitCallback, findListenPort } from './await-callback.ts';
import { TRY_COMMAND } from './command.ts';
import { askLine, askSecret, tell } from './terminal.ts';
import { Transcript } from './transcript.ts';

const WINDOW_DAYS = 90;
const POSTS = 20;
const STEP_MS = 60_000;
const DAY_MS = 86_400_000;

/** Runs the command. @returns its exit code: 1 if anything differed */
export async function runTryProvider([slug = '', ...args]: readonly string[]): Promise<number> {
  const name = PROVIDER_NAMES.find((one) => one === slug.toUpperCase().replace('-', '_'));
  if (name === undefined) throw new ServiceError('BAD_USER_INPUT', `Usage: ${TRY_COMMAND.usage}`);
  const options = readOptions(TRY_COMMAND, args);
  const config = readConfig('trial');
  const transcript = new Transcript((line) => void process.stdout.write(`${line}\n`));
  // A stand-in on this machine has plain http; a real platform has a public address.
  const urls = Object.entries(config).filter(([key]) => /^PROVIDER_[A-Z]_(AUTHORIZE|TOKEN|API)_URL$/.test(key));
  const http = createHttp({
    production: urls.every(([, url]) => String(url).startsWith('https://')),
    userAgent: 'social-account-connection-service',
  });
  observeAnswers((read) => transcript.addRead(read));
  try {
    const trial = await createTrial(name, config, readListen(options.listen));
    const provider = createAdapters(config, transcript.record(http))[name];
    const file = typeof options.tokens === 'string' ? options.tokens : undefined;
    await tryProvider(trial, provider, transcript, { file, keepGrant: options['keep-grant'] === true });
  } finally {
    observeAnswers(undefined);
    await http.close();
  }
  transcript.end();
  return transcript.differences.length === 0 ? 0 : 1;
}

function readListen(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new ServiceError('BAD_USER_INPUT', `--listen must be a port. Usage: ${TRY_COMMAND.usage}`);
}

interface Trial {
  readonly facts: ProviderFacts;
  readonly client: Client;
  readonly redirectUri: string;
  /** Where the redirect URI arrives on this machine, if it does. */
  readonly port: number | undefined;
}

/** Takes the client from the environment, or asks for it: an argument would be in the list of processes. */
async function createTrial(name: ProviderName, config: TrialConfig, listen: number | undefined): Promise<Trial> {
  const clientId = config.TRY_CLIENT_ID ?? (await askLine('Client id: '));
  const clientSecret = config.TRY_CLIENT_SECRET ?? new Secret(await askSecret('Client secret (not shown): '));
  const redirectUri = config.TRY_REDIRECT_URI ?? (await askLine('Redirect URI, as registered at the platform: '));
  if (clientId === '' || clientSecret.reveal() === '' || !URL.canParse(redirectUri)) {
    throw new ServiceError('BAD_USER_INPUT', 'A client id, a client secret and a redirect URI are needed.');
  }
  const port = findListenPort(redirectUri, listen);
  return { facts: createCatalog(config)[name], client: { clientId, clientSecret }, redirectUri, port };
}

const createCall = (): Call => ({ signal: AbortSignal.timeout(STEP_MS), admit: async () => OPERATORS_PERMIT });

async function tryProvider(
  trial: Trial,
  provider: Provider,
  transcript: Transcript,
  { file, keepGrant }: { file: string | undefined; keepGrant: boolean },
): Promise<void> {
  const { client, facts, redirectUri } = trial;
  transcript.say(`${facts.name}, ${new Date().toISOString()}`);
  const verdict = await transcript.step('Client', () => provider.probeClient(client, { redirectUri }, createCall()));
  if (verdict !== undefined) transcript.say(`  the platform's verdict: ${verdict}`);
  if (verdict === 'REFUSED') return transcript.differ('The platform refuses the client id or the secret.');

  let tokens = await transcript.step('Connect', () => connect(trial, provider, transcript));
  if (tokens === undefined) return;
  try {
    const access = await readAccount(provider, tokens, transcript);
    if (file !== undefined) return keepTokens(file, tokens);
    if (access !== undefined) await readPosts(provider, access, transcript);
    tokens = (await refresh(trial, provider, tokens, transcript)) ?? tokens;
  } finally {
    if (file === undefined && !keepGrant) await revoke(trial, provider, tokens, transcript);
  }
}

async function connect({ facts, client, redirectUri, port }: Trial, provider: Provider, transcript: Transcript) {
  const verifier = randomBytes(48).toString('base64url');
  const state = randomBytes(16).toString('hex');
  const codeChallenge = facts.pkce === null ? null : createHash('sha256').update(verifier).digest(facts.pkce);
  const permissions = facts.permissionsFor(CAPABILITIES);
  const { clientId } = client;
  tell('\nOpen this address in a browser, and allow access:\n');
  tell(facts.buildAuthorizationRequest({ clientId, redirectUri, permissions, state, codeChallenge }));
  tell('');
  const query = await awaitCallback(redirectUri, state, port);
  transcript.say(`  the callback has ${[...new Set(query.keys())].sort().join(', ')}`);
  const answer = facts.readAuthorizationResponse(query);
  if (answer.kind !== 'code') {
    const code = query.get('error') ?? '';
    transcript.differ(`The callback is "${answer.kind}"${/^[a-z_]{1,40}$/.test(code) ? ` with error ${code}` : ''}.`);
    return undefined;
  }
  if (answer.issuer !== facts.issuer) transcript.differ(`The callback's iss is not ${facts.issuer ?? 'missing'}.`);
  const exchange = {
    code: new Secret(answer.code),
    redirectUri,
    codeVerifier: codeChallenge === null ? null : new Secret(verifier),
  };
  const { tokens, principal } = await provider.exchangeCode(client, exchange, createCall());
  if (principal === null) transcript.differ('The exchange does not say whose grant it is.');
  const missing = permissions.filter((one) => !tokens.permissions.includes(one));
  const further = tokens.permissions.filter((one) => !permissions.includes(one));
  transcript.say(`  asked for ${permissions.join(' ')}`);
  if (missing.length > 0) transcript.differ(`Asked for and not granted: ${missing.join(' ')}`);
  if (further.length > 0) transcript.differ(`Granted and not asked for: ${further.join(' ')}`);
  transcript.say(`  ${describeTokens(tokens)}`);
  return tokens;
}

function describeTokens({ accessExpiresAt, refreshToken, refreshExpiresAt }: Tokens): string {
  const left = (at: Date | null) =>
    at === null ? 'an unknown time' : `${Math.round((at.getTime() - Date.now()) / 1000)} s`;
  const refreshing = refreshToken === null ? 'no refresh token' : 'a refresh token';
  return `the access token lives ${left(accessExpiresAt)}; ${refreshing}; the grant lives ${left(refreshExpiresAt)}`;
}

async function readAccount(provider: Provider, tokens: Tokens, transcript: Transcript) {
  const account = await transcript.step('Profile', () => provider.readAccount(tokens, createCall()));
  if (account === undefined) return undefined;
  const names = Object.entries(account.profile).filter(([, value]) => value !== null);
  transcript.say(`  has ${names.map(([key]) => key).join(', ') || 'no field'}`);
  const { accessToken, permissions } = tokens;
  return { accessToken, permissions, providerAccountId: account.providerAccountId };
}

async function readPosts(
  provider: Provider,
  access: Parameters<Provider['listContent']>[0],
  transcript: Transcript,
): Promise<void> {
  const window = { publishedAfter: new Date(Date.now() - WINDOW_DAYS * DAY_MS), publishedBefore: new Date() };
  const input = { window, cursor: null, limit: POSTS, withMetrics: true };
  const page = await transcript.step('A page of posts', () => provider.listContent(access, input, createCall()));
  if (page === undefined) return;
  const count = (named: string, isThere: (item: Content) => boolean) =>
    `${page.items.filter(isThere).length} with ${named}`;
  const metrics = (['VIEWS', 'LIKES', 'COMMENTS', 'SHARES'] as const).map((name) =>
    count(name.toLowerCase(), (item) => item.metrics.some((metric) => metric.name === name && metric.value !== null)),
  );
  const fields = [
    count('a URL', (item) => item.canonicalUrl !== null),
    count('a picture', (item) => item.thumbnailUrl !== null),
  ];
  transcript.say(`  ${page.items.length} posts of the last ${WINDOW_DAYS} days: ${[...fields, ...metrics].join(', ')}`);
}

/** @returns the new tokens; undefined if there are none */
async function refresh({ client, facts }: Trial, provider: Provider, tokens: Tokens, transcript: Transcript) {
  return await transcript.step('Refresh', async () => {
    const fresh = await provider.refresh(client, tokens, createCall()).catch((error: unknown) => {
      const isTooYoung = error instanceof ProviderError && error.type === 'RetryLater' && error.status === undefined;
      if (!isTooYoung || error.retryAfterSeconds === undefined) throw error;
      transcript.say(`  not tried: the platform refreshes this token in ${error.retryAfterSeconds} s at the earliest`);
      return undefined;
    });
    if (fresh === undefined) return undefined;
    transcript.say(`  ${describeTokens(fresh)}`);
    const isRotated = fresh.refreshToken?.reveal() !== tokens.refreshToken?.reveal();
    if (isRotated !== facts.rotatesRefreshTokens) {
      transcript.differ(`The refresh token is ${isRotated ? 'a new one' : 'the same'}.`);
    }
    await provider.readAccount(fresh, createCall());
    transcript.say('  the new access token works');
    return fresh;
  });
}

async function revoke({ client }: Trial, provider: Provider, tokens: Tokens, transcript: Transcript): Promise<void> {
  const outcome = await transcript.step('Revoke', () => provider.revoke(client, tokens, createCall()));
  if (outcome === undefined) {
    tell('The grant may still exist. Remove the app in the settings of the account.');
  } else if (outcome === 'impossible') {
    transcript.say('  this platform has no revoke: remove the app in the settings of the account');
  } else {
    if (outcome !== 'revoked') transcript.differ('The grant had ended before the revoke.');
    const type = await provider.readAccount(tokens, createCall()).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof ProviderError) return error.type;
        throw error;
      },
    );
    if (type === undefined) transcript.differ('The access token works after the revoke.');
    else if (type === 'TokenStale' || type === 'GrantDead') transcript.say('  the access token is refused now');
    else transcript.differ(`After the revoke the adapter reports ${type}, not TokenStale or GrantDead.`);
  }
}

/** Stores them for `npm run contract`. */
function keepTokens(file: string, tokens: Tokens): void {
  const kept = {
    ...tokens,
    accessToken: tokens.accessToken.reveal(),
    refreshToken: tokens.refreshToken?.reveal() ?? null,
  };
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(kept), { mode: 0o600 });
  tell(`The tokens are in ${file}. Delete it when you are done.`);
}

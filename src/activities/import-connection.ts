import { ApplicationFailure } from '@temporalio/common';
import type { Capability, ProviderName } from '../basics/codes.ts';
import { RESULT_CODES } from '../basics/failure-codes.ts';
import {
  type AppId,
  type AttemptId,
  type ConnectionId,
  type GrantId,
  newId,
  type RegistrationId,
} from '../basics/ids.ts';
import { isDenial } from '../domain/access/denial.ts';
import type { Purpose } from '../domain/access/may-call.ts';
import { mayImport } from '../domain/access/may-connect.ts';
import { beginImport, completeImport, type ImportedGrant, ImportRefused } from '../domain/connecting/import-grant.ts';
import { listPrincipalMacs } from '../domain/reach.ts';
import { describeImportFailure, type ImportFailure } from '../domain/texts/import-failures.ts';
import { type Account, type AdoptedTokens, type ForeignTokens, ProviderError } from '../providers/provider.ts';
import { inTransaction } from '../store/driver/sql.ts';
import { findImportedGrant } from '../store/grants/grants.ts';
import { isImportedToken } from '../store/grants/imported-tokens.ts';
import { findScope, type SubjectScope } from '../store/scopes.ts';
import { associatedData } from '../vault/associated-data.ts';
import type { Deps } from './deps.ts';
import { sealTokens, storeWithRetries } from './grant-tokens.ts';
import { callAsClient, openReadMeter } from './registration-calls.ts';
import { callWithFreshToken } from './tokens.ts';

/** One account of another system: its owner, and the tokens that the other system holds. */
export interface ImportLine {
  readonly scope: SubjectScope;
  readonly provider: ProviderName;
  readonly registrationId: RegistrationId;
  /** Null for all that the app may ask for. */
  readonly capabilities: readonly Capability[] | null;
  readonly tokens: ForeignTokens;
}

/** The outcome of a line. `PERMITTED` is the good outcome of a dry run. */
export type ImportOutcome =
  | {
      readonly outcome: 'IMPORTED' | 'ALREADY_IMPORTED' | 'ALREADY_CONNECTED';
      readonly connectionId: ConnectionId | null;
    }
  | { readonly outcome: 'PERMITTED' }
  | ({ readonly outcome: 'FAILED' } & ImportFailure);

export interface ImportOptions {
  readonly appId: AppId;
  /** Whether to import tokens whose owner the provider does not reveal. */
  readonly acceptUnproven: boolean;
  /** Whether to run only the checks that need no call to the provider. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** Longer than all calls of one line take, with their waits for slots. */
const LINE_MS = 60_000;

/**
 * Verifies another system's tokens by calls to the provider, and creates a connection with them. A failure is an outcome; it
 * contains no token, no id of the platform, and no subject. Safe to repeat: an imported token is found again by its keyed
 * hash, before any call, also after its connection is gone: repeating a file does not reconnect a person who has disconnected.
 */
export async function importConnection(deps: Deps, options: ImportOptions, line: ImportLine): Promise<ImportOutcome> {
  try {
    return await tryImport(deps, options, line);
  } catch (error) {
    if (error instanceof ImportRefused && error.code === 'ALREADY_CONNECTED') {
      return { outcome: 'ALREADY_CONNECTED', connectionId: error.connectionId };
    }
    return fail(codeOf(deps, error, line), {
      retryAfterSeconds: error instanceof ProviderError ? error.retryAfterSeconds : undefined,
    });
  }
}

const fail = (
  code: Parameters<typeof describeImportFailure>[0],
  more: Parameters<typeof describeImportFailure>[1] = {},
): ImportOutcome => ({ outcome: 'FAILED', ...describeImportFailure(code, more) });

function codeOf({ facts, log }: Deps, error: unknown, { provider }: ImportLine) {
  if (error instanceof ImportRefused) return error.code;
  if (error instanceof ProviderError) {
    return error.outcomeUnknown && facts[provider].rotatesRefreshTokens ? 'ANSWER_LOST' : error.type;
  }
  // The policy changed, or the registration was paused, between two requests of the line.
  const denied = error instanceof ApplicationFailure && RESULT_CODES.find((code) => code === error.type);
  if (denied) return denied;
  log.error('A line could not be imported', { error });
  return 'INTERNAL';
}

async function tryImport(deps: Deps, options: ImportOptions, line: ImportLine): Promise<ImportOutcome> {
  const { sql, providers, facts, mac } = deps;
  const { appId } = options;
  const { scope, provider, registrationId, tokens } = line;
  const token = tokens.refreshToken ?? tokens.accessToken;
  if (token === null) return fail('NO_TOKEN');
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(LINE_MS)]);
  const { scopeId } = await findScope(sql, appId, scope);
  const importMacs = mac.allOf('import', registrationId, token.reveal());
  const known = await findImportedGrant(sql, importMacs);
  if (known === undefined && (await isImportedToken(sql, importMacs))) return fail('IMPORT_ENDED');
  if (known !== undefined && known.scopeId !== scopeId) return fail('TOKENS_OF_ANOTHER_SUBJECT');
  if (known !== undefined && known.status !== 'PENDING') {
    return { outcome: 'ALREADY_IMPORTED', connectionId: known.connectionId };
  }
  const asked = { appId, tenantKey: scope.tenantKey, provider, registrationId, capabilities: line.capabilities };
  const permit = await mayImport(deps, sql, asked);
  if (isDenial(permit)) {
    const { reason, message } = permit;
    // After a pause the same line succeeds. Any other denial may be one of the line.
    return fail(reason === 'REGISTRATION_PAUSED' ? reason : 'NOT_PERMITTED', { message });
  }
  if (options.dryRun) return { outcome: 'PERMITTED' };
  if (known !== undefined) {
    return await finish(deps, line, { ...known, signal, appId, capabilities: permit.capabilities });
  }

  // This check comes before the first call: a rotating refresh token must not be spent in vain.
  const purpose = importPurpose(line, { appId, capabilities: permit.capabilities });
  const caller = { provider, registrationId, appId, purpose };
  const readMeter = await openReadMeter(deps, caller, 'READS', signal);
  const adopted = await callAsClient(deps, caller, { signal, whenRefused: 'FAIL', queue: 'READS' }, (client, meter) =>
    providers[provider].adoptTokens(client, tokens, meter),
  );
  if (adopted.client === 'OTHERS') return fail('OTHER_CLIENT');
  if (adopted.client === 'UNPROVEN' && !options.acceptUnproven) return fail('CLIENT_UNPROVEN');
  const imported: ImportedGrant = {
    appId,
    scope,
    capabilities: permit.capabilities,
    grant: await sealGrant(deps, line, adopted),
    importMac: mac.of('import', registrationId, token.reveal()),
    tokenLifeDays: facts[provider].tokenLifeDays,
  };
  if (facts[provider].rotatesRefreshTokens) {
    // The other system's token is spent: these are the only ones, so they are stored before anything else can fail.
    let attemptId: AttemptId | undefined;
    await storeWithRetries(options.signal, async () => {
      attemptId = await inTransaction(sql, (tx) => beginImport(tx, imported));
    });
    if (attemptId === undefined) return fail('INTERNAL');
    const { grantId } = imported.grant;
    return await finish(deps, line, { attemptId, grantId, signal, appId, capabilities: permit.capabilities });
  }
  const { accessToken, permissions } = adopted.tokens;
  const account = await providers[provider].readAccount({ accessToken, permissions }, readMeter);
  const connectionId = await inTransaction(sql, async (tx) => {
    const attemptId = await beginImport(tx, imported);
    return await completeImport(deps, tx, attemptId, addMacs(deps, line, account));
  });
  deps.outbox.deliverSoon();
  return { outcome: 'IMPORTED', connectionId };
}

/** The app of a line, and the capabilities that it may request. */
interface Permitted {
  readonly appId: AppId;
  readonly capabilities: readonly Capability[];
}

const importPurpose = (
  { scope, provider, registrationId }: ImportLine,
  { appId, capabilities }: Permitted,
): Purpose => ({ for: 'IMPORT', appId, tenantKey: scope.tenantKey, provider, registrationId, capabilities });

/** Reads the account of a stored grant, and creates its connection. */
async function finish(
  deps: Deps,
  line: ImportLine,
  stored: Permitted & { readonly attemptId: AttemptId; readonly grantId: GrantId; readonly signal: AbortSignal },
): Promise<ImportOutcome> {
  const { attemptId, grantId, signal } = stored;
  const account = await callWithFreshToken(
    deps,
    grantId,
    signal,
    ({ accessToken, permissions }, meter) =>
      deps.providers[line.provider].readAccount({ accessToken, permissions }, meter),
    { purpose: importPurpose(line, stored) },
  );
  const connectionId = await inTransaction(deps.sql, (tx) =>
    completeImport(deps, tx, attemptId, addMacs(deps, line, account)),
  );
  deps.outbox.deliverSoon();
  return { outcome: 'IMPORTED', connectionId };
}

async function sealGrant(
  deps: Deps,
  { provider, registrationId }: ImportLine,
  { tokens, principal }: Exclude<AdoptedTokens, { client: 'OTHERS' }>,
): Promise<ImportedGrant['grant']> {
  const grantId = newId<GrantId>();
  return {
    grantId,
    provider,
    registrationId,
    principalMacs: principal === null ? [] : await listPrincipalMacs(deps, deps.sql, registrationId, principal),
    permissions: tokens.permissions,
    sealedTokens: await sealTokens(deps, tokens, associatedData.tokens(grantId)),
    accessExpiresAt: tokens.accessExpiresAt,
    refreshExpiresAt: tokens.refreshExpiresAt,
  };
}

const addMacs = ({ mac }: Deps, { registrationId }: ImportLine, account: Account) => ({
  ...account,
  accountMacs: [account.providerAccountId, ...account.aliasIds].map((id) => mac.of('account', registrationId, id)),
});

import { isWantedGrant } from '../../basics/codes.ts';
import {
  type AdminTokenId,
  type ConnectionId,
  type CorrelationId,
  type GrantId,
  type JobId,
  type KeyId,
  newId,
  type ScopeId,
} from '../../basics/ids.ts';
import type { JournalLine } from '../../journal/files.ts';
import { purgeContent } from '../../store/connections/disconnects.ts';
import type { Transaction } from '../../store/driver/sql.ts';
import { insertErasure } from '../../store/erasures/erasures.ts';
import { moveGrantToDead } from '../../store/grants/grant-end.ts';
import { findGrant, findGrantOfConnection } from '../../store/grants/grants.ts';
import { discardKeptTokens } from '../../store/grants/kept-tokens.ts';
import { doubtTokens } from '../../store/grants/refresh-claims.ts';
import { findDisconnectable, listConnectionsOfScope } from '../../store/jobs/bulk-disconnects.ts';
import { repeatRevocation } from '../../store/journal.ts';
import { insertDispatch } from '../../store/outbox.ts';
import { findScopeById, lockScopeById } from '../../store/scopes.ts';
import { buildDispatch } from '../../workflows/dispatches.ts';
import type { DisconnectRules } from './disconnect.ts';
import { type LostDisconnect, repeatDisconnect } from './repeat-disconnect.ts';
import { identifySubject } from './start-subject-erasure.ts';

type RepeatDeps = DisconnectRules & {
  /** The line of the journal that records the end of a grant. */
  readonly endOf: ReadonlyMap<string, number>;
  /** Facts from elsewhere about a disconnect that this database has lost. */
  findLost?(connectionId: ConnectionId): LostDisconnect | undefined;
};

/** The lines that record the ends of grants. */
export const findEnds = (lines: readonly JournalLine[]): ReadonlyMap<string, number> =>
  new Map(lines.flatMap(({ kind, id, number }) => (kind === 'GRANT' ? [[id, number]] : [])));

/**
 * Puts connections first: their grants may have been replaced after the backup, and only the backup's tokens can still revoke
 * them. Puts subjects last: the receipts of a disconnect are found by its subject.
 */
export const inOrderOfRepetition = (lines: readonly JournalLine[]): readonly JournalLine[] =>
  lines.toSorted((one, other) => (PLACES[one.kind] ?? 0) - (PLACES[other.kind] ?? 0));
const PLACES: Readonly<Partial<Record<JournalLine['kind'], number>>> = { CONNECTION: -1, SUBJECT: 1 };

/**
 * Repeats the erasure or revocation of a line of the journal that this database lacks.
 * @returns false if nothing was left to erase.
 */
export const repeatErasure = (deps: RepeatDeps, tx: Transaction, line: JournalLine): Promise<boolean> =>
  REPETITIONS[line.kind](deps, tx, line);

const REPETITIONS: Readonly<
  Record<JournalLine['kind'], (deps: RepeatDeps, tx: Transaction, line: JournalLine) => Promise<boolean>>
> = {
  async CONNECTION(deps, tx, { id, number }) {
    const connection = await findDisconnectable(tx, id as ConnectionId);
    if (!connection) return false;
    const { connectionId } = connection;
    const correlationId = newId<CorrelationId>();
    const ids = { revokeJobId: newId<JobId>(), eraseJobId: newId<JobId>() };
    const lost = deps.findLost?.(connectionId) ?? ids;
    const result = await repeatDisconnect(deps, tx, connection, lost);
    if (!result?.started) return false; // The backup already contains the disconnect, which continues.
    // A grant that ended before the disconnect had been replaced by one that the backup does not have.
    const grant = await findGrantOfConnection(tx, connectionId);
    if (grant && (deps.endOf.get(grant.grantId) ?? number) < number) await doubtTokens(tx, [grant.grantId]);
    await purgeContent(tx, connectionId);
    // A workflow with this id ran and closed after the backup.
    await insertDispatch(
      tx,
      buildDispatch('disconnect', { ...connection, ...result, correlationId }, { lane: 'BULK', restart: true }),
    );
    return true;
  },
  /**
   * Skips a grant with an open revoke: the revoke asks the provider whether the grant has ended. A reconnect after the
   * backup may have replaced any other.
   */
  async GRANT(_deps, tx, { id }) {
    const grant = await findGrant(tx, id as GrantId);
    if (!isWantedGrant(grant?.status)) return false;
    await moveGrantToDead(tx, grant.grantId, { inDoubt: true });
    return true;
  },
  KEPT_TOKENS: (_deps, tx, { id }) => discardKeptTokens(tx, id as JobId),
  /** Creates a new receipt: the restore lost the old one. */
  async SUBJECT({ mac }, tx, { id }) {
    const scopeId = id as ScopeId;
    await lockScopeById(tx, scopeId);
    const scope = await findScopeById(tx, scopeId);
    if (!scope || scope.forgotten) return false;
    const connectionIds = (await listConnectionsOfScope(tx, scopeId)).map(({ connectionId }) => connectionId);
    const subject = identifySubject(mac, scope.appId, scopeId, scope);
    return (await insertErasure(tx, { ...subject, connectionIds })) !== undefined;
  },
  APP_KEY: (_deps, tx, { id }) => repeatRevocation(tx, { keyId: id as KeyId }),
  ADMIN_TOKEN: (_deps, tx, { id }) => repeatRevocation(tx, { tokenId: id as AdminTokenId }),
};

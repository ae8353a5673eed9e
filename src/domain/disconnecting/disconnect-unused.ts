import { type CorrelationId, newId, type RegistrationId } from '../../basics/ids.ts';
import { findUnused, isUnused } from '../../store/connections/proofs.ts';
import { countDowngrade, isPlatformBelieved } from '../../store/connections/refusals.ts';
import { type Database, inTransaction } from '../../store/driver/sql.ts';
import { type DisconnectRules, disconnect } from './disconnect.ts';

/**
 * Disconnects a connection whose grant was not proven alive for the days of its registration. A grant that has certainly ended
 * needs no further proof. A grant without a proof counts as a downgrade: if many of a registration are due at once, the
 * cause is the platform or our client, and the registration holds them.
 * @param options.onHold is called for the first one too many.
 * @returns whether this call disconnected it
 */
export async function disconnectUnused(
  rules: DisconnectRules,
  sql: Database,
  connectionId: string,
  { onHold }: { onHold(registrationId: RegistrationId): void },
): Promise<boolean> {
  const due = await findUnused(sql, connectionId);
  if (due === undefined) return false;
  if (due.status !== 'RECONNECT_REQUIRED' && !(await mayEnd(sql, due.registrationId, onHold))) return false;
  const cause = {
    reason: due.isRemoved ? 'PLATFORM_REMOVAL' : 'UNUSED',
    correlationId: newId<CorrelationId>(),
  } as const;
  return await inTransaction(sql, async (tx) => {
    const isWanted = () => isUnused(tx, due.connectionId);
    const result = await disconnect(rules, tx, due, due, cause, { lane: 'BULK', spares: true, isWanted });
    return result?.started ?? false;
  });
}

async function mayEnd(
  sql: Database,
  registrationId: RegistrationId,
  onHold: (registrationId: RegistrationId) => void,
): Promise<boolean> {
  if (await isPlatformBelieved(sql, registrationId)) return true;
  const counted = await countDowngrade(sql, registrationId);
  if (counted === 'ALLOWED') return true;
  if (counted === 'NOW_HELD') onHold(registrationId);
  return false;
}

import { badInput } from '../../basics/errors.ts';
import {
  findIdempotentResult,
  insertIdempotencyKey,
  updateIdempotentResult,
} from '../../store/operators/idempotency.ts';
import type { MutationContext } from './context.ts';

/**
 * Runs `make` once per idempotency key. The same key with the same input returns the id of the first run.
 * @param make creates something and returns its id.
 * @param keyName the name of the key's argument, for errors.
 * @throws ServiceError `BAD_USER_INPUT` if the key was used with another input.
 */
export async function runOnce<Id extends string>(
  { actor, mac, sql }: MutationContext,
  operation: string,
  input: { readonly idempotencyKey: string | null },
  make: () => Promise<Id>,
  keyName = 'input.idempotencyKey',
): Promise<{ id: Id; repeated: boolean }> {
  const key = input.idempotencyKey;
  if (key === null) return { id: await make(), repeated: false };
  if (actor.tokenId === null) throw badInput(keyName, 'needs an admin token, which this command line does not use');
  const request = [operation, JSON.stringify(input)];
  const reserved = { tokenId: actor.tokenId, key };
  // A second request with the same key waits here for the first one's transaction.
  if (await insertIdempotencyKey(sql, reserved, mac.of('idempotency', ...request))) {
    const id = await make();
    await updateIdempotentResult(sql, reserved, id);
    return { id, repeated: false };
  }
  const made = await findIdempotentResult(sql, reserved);
  if (made === undefined || !mac.verify(made.requestMac, 'idempotency', ...request)) {
    throw badInput(keyName, 'was used for another request');
  }
  return { id: made.resultId as Id, repeated: true };
}

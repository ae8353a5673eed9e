import { ServiceError } from '../../../basics/errors.ts';
import { type CallbackSecretId, newId, type RegistrationId } from '../../../basics/ids.ts';
import type { MutationResolvers } from '../../../generated/admin-schema.ts';
import { deleteCallbackSecret, insertCallbackSecret } from '../../../store/erasures/platform-callbacks.ts';
import { associatedData } from '../../../vault/associated-data.ts';
import { parseArgs } from '../../inputs.ts';
import type { MutationContext } from '../context.ts';
import { runOnce } from '../idempotency.ts';
import * as args from '../inputs.ts';
import { createNotFoundError, getRegistration } from './lookups.ts';

type Mutations = MutationResolvers<MutationContext>;

export const addCallbackSecret: Mutations['addCallbackSecret'] = async (_root, given, context) => {
  const input = parseArgs(args.AddCallbackSecretArgs, given);
  const { id, provider } = await getRegistration(context, input.registrationId);
  if (context.facts[provider].platformCallbacks.length === 0) {
    throw new ServiceError('BAD_USER_INPUT', `${provider} sends no callbacks: there is nothing to sign.`);
  }
  const registrationId = id as RegistrationId;
  const make = async () => {
    const secretId = newId<CallbackSecretId>();
    const sealedSecret = await context.sealEdge(input.secret, associatedData.callbackSecret(secretId));
    await insertCallbackSecret(context.sql, { secretId, registrationId, sealedSecret });
    return secretId;
  };
  const { id: secretId } = await runOnce(context, 'addCallbackSecret', input, make, 'idempotencyKey');
  context.touched([secretId]);
  return await getRegistration(context, registrationId);
};

export const removeCallbackSecret: Mutations['removeCallbackSecret'] = async (_root, given, context) => {
  const { id } = parseArgs(args.CallbackSecretArgs, given);
  const registrationId = id && (await deleteCallbackSecret(context.sql, id));
  if (!registrationId) throw createNotFoundError('callback secret');
  context.touched([registrationId]);
  return await getRegistration(context, registrationId);
};

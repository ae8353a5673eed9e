import { ServiceError } from '../../../basics/errors.ts';
import { type CallbackSecretId, newId, type RegistrationId } from '../../../basics/ids.ts';
import { deleteCallbackSecret, insertCallbackSecret } from '../../../store/erasures/platform-callbacks.ts';
import { associatedData } from '../../../vault/associated-data.ts';
import type { Mutations } from '../contract.ts';
import { runOnce } from '../idempotency.ts';
import { getExisting, getRegistration } from './lookups.ts';

export const Mutation = {
  addCallbackSecret: async (input, context) => {
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
  },

  removeCallbackSecret: async ({ id }, context) => {
    const registrationId = await getExisting('callback secret', id, (known) =>
      deleteCallbackSecret(context.sql, known),
    );
    context.touched([registrationId]);
    return await getRegistration(context, registrationId);
  },
} satisfies Partial<Mutations>;

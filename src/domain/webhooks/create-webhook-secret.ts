import { randomBytes } from 'node:crypto';
import { newId, type WebhookSecretId } from '../../basics/ids.ts';
import { Secret } from '../../basics/secret.ts';
import { associatedData } from '../../vault/associated-data.ts';
import type { Seal } from '../../vault/seal.ts';

/** Bytes of a secret: Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

/** Creates a secret that signs webhooks: `whsec_` and base64. Show it once; the service stores it sealed. */
export async function createWebhookSecret(
  sealEdge: Seal,
): Promise<{ secretId: WebhookSecretId; secret: Secret; sealedSecret: string }> {
  const secretId = newId<WebhookSecretId>();
  const secret = new Secret(`whsec_${randomBytes(SECRET_BYTES).toString('base64')}`);
  return { secretId, secret, sealedSecret: await sealEdge(secret.reveal(), associatedData.webhookSecret(secretId)) };
}

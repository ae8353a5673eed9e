/**
 * The table, column and row of a sealed value. The vault authenticates them with the value, but does not store them
 * with it.
 */
export interface AssociatedData {
  readonly table: string;
  readonly column: string;
  readonly row: string;
}

/** An unambiguous encoding. */
export const encodeAssociatedData = ({ table, column, row }: AssociatedData): Uint8Array =>
  new TextEncoder().encode(JSON.stringify([table, column, row]));

export const associatedData = {
  clientSecret: (registrationId: string): AssociatedData => ({
    table: 'registration',
    column: 'sealed_client_secret',
    row: registrationId,
  }),
  callbackSecret: (secretId: string): AssociatedData => ({
    table: 'platform_callback_secret',
    column: 'sealed_secret',
    row: secretId,
  }),
  webhookSecret: (secretId: string): AssociatedData => ({
    table: 'webhook_secret',
    column: 'sealed_secret',
    row: secretId,
  }),
  issuerSecret: (issuerId: string): AssociatedData => ({
    table: 'identity_issuer',
    column: 'sealed_client_secret',
    row: issuerId,
  }),
  codeVerifier: (attemptId: string): AssociatedData => ({
    table: 'connect_attempt',
    column: 'sealed_code_verifier',
    row: attemptId,
  }),
  code: (attemptId: string): AssociatedData => ({ table: 'connect_attempt', column: 'sealed_code', row: attemptId }),
  identityNonce: (attemptId: string): AssociatedData => ({
    table: 'identity_attempt',
    column: 'sealed_nonce',
    row: attemptId,
  }),
  identityCodeVerifier: (attemptId: string): AssociatedData => ({
    table: 'identity_attempt',
    column: 'sealed_code_verifier',
    row: attemptId,
  }),
  identityCode: (attemptId: string): AssociatedData => ({
    table: 'identity_attempt',
    column: 'sealed_code',
    row: attemptId,
  }),
  identityClaims: (attemptId: string): AssociatedData => ({
    table: 'identity_attempt',
    column: 'sealed_claims',
    row: attemptId,
  }),
  tokens: (grantId: string): AssociatedData => ({ table: 'account_grant', column: 'sealed_tokens', row: grantId }),
  keptTokens: (jobId: string): AssociatedData => ({ table: 'disconnect_job', column: 'sealed_tokens', row: jobId }),
};

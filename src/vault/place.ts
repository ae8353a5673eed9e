/** Where a sealed value lives. It is authenticated with the value but not stored with it. */
export interface Place {
  readonly table: string;
  readonly column: string;
  readonly row: string;
}

/** A form in which no two places look the same. */
export const placeBytes = ({ table, column, row }: Place): Uint8Array =>
  new TextEncoder().encode(JSON.stringify([table, column, row]));

export const places = {
  clientSecret: (registrationId: string): Place => ({
    table: 'registration',
    column: 'sealed_client_secret',
    row: registrationId,
  }),
  callbackSecret: (secretId: string): Place => ({
    table: 'platform_callback_secret',
    column: 'sealed_secret',
    row: secretId,
  }),
  issuerSecret: (issuerId: string): Place => ({
    table: 'identity_issuer',
    column: 'sealed_client_secret',
    row: issuerId,
  }),
  codeVerifier: (attemptId: string): Place => ({
    table: 'connect_attempt',
    column: 'sealed_code_verifier',
    row: attemptId,
  }),
  code: (attemptId: string): Place => ({ table: 'connect_attempt', column: 'sealed_code', row: attemptId }),
  identityNonce: (attemptId: string): Place => ({ table: 'identity_attempt', column: 'sealed_nonce', row: attemptId }),
  identityCodeVerifier: (attemptId: string): Place => ({
    table: 'identity_attempt',
    column: 'sealed_code_verifier',
    row: attemptId,
  }),
  identityCode: (attemptId: string): Place => ({ table: 'identity_attempt', column: 'sealed_code', row: attemptId }),
  identityClaims: (attemptId: string): Place => ({
    table: 'identity_attempt',
    column: 'sealed_claims',
    row: attemptId,
  }),
  tokens: (grantId: string): Place => ({ table: 'account_grant', column: 'sealed_tokens', row: grantId }),
  keptTokens: (jobId: string): Place => ({ table: 'disconnect_job', column: 'sealed_tokens', row: jobId }),
};

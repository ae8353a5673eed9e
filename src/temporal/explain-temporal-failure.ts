/** The namespace lacks search attributes, or has them in another type. */
export class MissingAttributesError extends Error {
  override readonly name = 'MissingAttributesError';
  readonly missing: readonly string[];

  constructor(missing: readonly string[]) {
    super(`Missing: ${missing.join(', ')}`);
    this.missing = missing;
  }
}

const UNKNOWN_REQUEST =
  'it does not know one of our requests: its version, or its store for the visibility of workflows, is too old';

/** The hint for the operator, by the library's error. That text may quote addresses and certificates, so only ours is logged. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/ConnectionRefused/, 'nothing listens at its address: see TEMPORAL_ADDRESS'],
  [/dns error/, 'its host name is unknown: see TEMPORAL_ADDRESS'],
  [/InvalidCertificate\((Expired|NotValidYet)/, 'its certificate has expired or is not valid yet'],
  [/InvalidCertificate\(NotValidForName/, 'its certificate is for another host name: see TEMPORAL_TLS_SERVER_NAME'],
  [/InvalidCertificate/, 'its certificate is not trusted: see TEMPORAL_TLS_SERVER_CA_CERT_PATH'],
  [/AlertReceived\(/, 'it refuses our client certificate: see TEMPORAL_TLS_CLIENT_CERT_PATH'],
  [/InvalidContentType/, 'it speaks no TLS at its address: see TEMPORAL_TLS'],
  [/valid authentication credentials/, 'it refuses our API key: see TEMPORAL_API_KEY'],
  [/have permission/, 'our credentials have no right to the namespace: see TEMPORAL_NAMESPACE'],
  [/resource has been exhausted/, 'it limits the rate of our requests'],
  [/Timeout expired|currently unavailable|deadline/i, 'it does not answer'],
  [/not implemented or not supported/, UNKNOWN_REQUEST],
  [/broken pipe|BrokenPipe|transport error/i, 'it ends the connection: it may ask for TLS, see TEMPORAL_TLS'],
];

/** The hint for a connection that fails for any other reason. */
const UNAVAILABLE = 14;

const CAUSES_BY_CODE: Readonly<Record<number, string>> = {
  5: 'it has no such namespace: see TEMPORAL_NAMESPACE',
  7: 'our credentials have no right to the namespace: see TEMPORAL_NAMESPACE',
  8: 'it limits the rate of our requests',
  12: UNKNOWN_REQUEST,
  16: 'it refuses our API key: see TEMPORAL_API_KEY',
};

/** Explains to an operator why Temporal cannot be used, in our own words. */
export function explainTemporalFailure(error: unknown): string {
  if (error instanceof MissingAttributesError)
    return `Temporal cannot be used: its namespace has no search attribute ${error.missing.join(', ')} of the type Keyword: create those that docs/production.md lists`;
  const { code, message = '' } = error instanceof Error ? (error as Error & { code?: unknown }) : {};
  const cause =
    CAUSES_BY_CODE[Number(code)] ??
    CAUSES.find(([pattern]) => pattern.test(message))?.[1] ??
    (Number(code) === UNAVAILABLE ? 'nothing answers at its address: see TEMPORAL_ADDRESS' : undefined) ??
    'the log has the name of the error';
  return `Temporal cannot be used: ${cause}`;
}

/** Why something did not work, for the person in front of it. */
export interface Problem {
  /** A code of the admin API, `UNREACHABLE`, or `SECRET_LOST`. */
  readonly code: string;
  readonly message: string;
  /** Also in the api's log. */
  readonly correlationId?: string;
}

/** What a GraphQL client says of a failure, as far as it is looked at. */
interface Failure {
  readonly graphQLErrors: readonly { readonly message: string; readonly extensions?: Record<string, unknown> }[];
  readonly networkError?: Error | undefined;
}

/** In one line, for where there is room for no more. */
export const inOneLine = ({ message, correlationId }: Problem): string =>
  correlationId === undefined ? message : `${message} (Correlation id ${correlationId})`;

export const UNREACHABLE: Problem = {
  code: 'UNREACHABLE',
  message: 'The api did not answer. Check that it runs and that you reach it; this page goes on trying by itself.',
};

/** Of a change, which is not repeated by itself. */
export const UNDECIDED: Problem = {
  code: 'UNREACHABLE',
  message: 'The api did not answer, so it may have been done or not. Once it answers again, look before you repeat it.',
};

/** Of a key: sent again, the request that made it is answered without the secret. */
export const SECRET_LOST: Problem = {
  code: 'SECRET_LOST',
  message: 'The key has been issued, but the answer that showed it was lost. Revoke it, and issue another.',
};

/** Whether the service, or what it stands on, is out of reach: what was read before is then the best there is. */
export const isOutage = ({ code }: Problem): boolean => code === 'UNREACHABLE' || code === 'UPSTREAM_UNAVAILABLE';

/** What came of a question, or of a change. */
export type Outcome<Result> =
  | { readonly data: Result; readonly problem?: undefined }
  | { readonly data?: undefined; readonly problem: Problem };

/** An answer in part counts as none. */
export const outcomeOf = <Result>(answer: {
  readonly data?: Result | undefined;
  readonly error?: Failure | undefined;
}): Outcome<Result> =>
  answer.data && !answer.error ? { data: answer.data } : { problem: problemOf(answer.error ?? { graphQLErrors: [] }) };

export function problemOf({ graphQLErrors }: Failure): Problem {
  const [error] = graphQLErrors;
  if (error === undefined) return UNREACHABLE;
  const { code, correlationId, retryAfterSeconds } = error.extensions ?? {};
  const later = typeof retryAfterSeconds === 'number' ? ` Try again in ${retryAfterSeconds} s.` : '';
  return {
    code: typeof code === 'string' ? code : 'UPSTREAM_UNAVAILABLE',
    message: `${error.message}${later}`,
    ...(typeof correlationId === 'string' && { correlationId }),
  };
}

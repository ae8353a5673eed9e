import { REPEATABLE } from '../generated/operations.ts';
import { readOperation } from './roles.ts';

/** An error as the operator sees it. */
export interface Problem {
  /** A code of the admin API, `UNREACHABLE`, or `SECRET_LOST`. */
  readonly code: string;
  readonly message: string;
  /** The api's log has the same id. */
  readonly correlationId?: string;
}

/** The part of urql's `CombinedError` that the console reads. */
interface GraphQLFailure {
  readonly graphQLErrors: readonly { readonly message: string; readonly extensions?: Record<string, unknown> }[];
  readonly networkError?: Error | undefined;
  /** The HTTP answer, if one came. */
  readonly response?: { readonly status?: number } | undefined;
}

/** The result of an action whose form shows the problem at its fields. */
export const AT_FIELD: Problem = { code: 'AT_FIELD', message: 'A field of the form shows the problem.' };

/** A single line for notifications. */
export const formatProblem = ({ message, correlationId }: Problem): string =>
  correlationId === undefined ? message : `${message} (Correlation id ${correlationId})`;

export const UNREACHABLE: Problem = {
  code: 'UNREACHABLE',
  message: 'The api did not answer. Check your network, and that the api is running. This page keeps trying.',
};

/** Something answered for the api: a proxy that does not reach it, or the api while it starts or stops. */
const describeOtherAnswer = (status: number): Problem => ({
  ...UNREACHABLE,
  message: `The api returned HTTP ${status}. It may be starting up, or the proxy in front of it cannot reach it. This page keeps trying.`,
});

/** For a mutation, which the page does not repeat. */
const UNKNOWN_OUTCOME: Problem = {
  code: 'UNREACHABLE',
  message: 'The api did not answer, so the change may or may not have been made. Check before you try again.',
};

/** @param document of the mutation whose answer did not come. */
export const describeLostAnswer = (document: string): Problem =>
  REPEATABLE.includes(readOperation(document))
    ? { code: 'UNREACHABLE', message: 'The api did not answer. You can try again: doing it twice changes nothing.' }
    : UNKNOWN_OUTCOME;

/** For a new key: if the request repeats, the api answers it without the secret. */
export const SECRET_LOST: Problem = {
  code: 'SECRET_LOST',
  message: 'The key was issued, but the answer that contained it was lost. Revoke this key and issue another one.',
};

/** For a new admin token, likewise. */
export const TOKEN_LOST: Problem = {
  code: 'SECRET_LOST',
  message:
    'The token was created, but the answer that contained it was lost. Revoke this token and create another one.',
};

/** For a new webhook secret, likewise. */
export const WEBHOOK_SECRET_LOST: Problem = {
  code: 'SECRET_LOST',
  message: 'The secret was created, but the answer that contained it was lost. Rotate the secret.',
};

/** Whether the api or a dependency of it is unreachable. Pages then keep showing their last data. */
export const isOutage = ({ code }: Problem): boolean => code === 'UNREACHABLE' || code === 'UPSTREAM_UNAVAILABLE';

/** The result of a query or mutation. */
export type Outcome<Result> =
  | { readonly data: Result; readonly problem?: undefined }
  | { readonly data?: undefined; readonly problem: Problem };

/** A partial answer counts as an error. */
export const toOutcome = <Result>(answer: {
  readonly data?: Result | undefined;
  readonly error?: GraphQLFailure | undefined;
}): Outcome<Result> =>
  answer.data && !answer.error ? { data: answer.data } : { problem: toProblem(answer.error ?? { graphQLErrors: [] }) };

/** `bulkDisconnectId` as `bulk disconnect`: a person who filters chooses a thing, not its id. Only the correlation id has no other name. */
const nameField = (field: string): string =>
  field
    .replace(/^external|(?<!correlation)Id$|Key$/g, '')
    .replace(/\B[A-Z]/g, ' $&')
    .toLowerCase();

/** The fault that the api found in a list's filter, which a link may have set: `filter.appId must…` as `The filter’s app must…`. */
const nameFilter = (message: string): string =>
  message
    .replace(/^filter\.(\w+) /, (_, field: string) => `The filter’s ${nameField(field)} `)
    .replace(/ come with (\w+)/, (_, field: string) => ` come with its ${nameField(field)}`);

export function toProblem({ graphQLErrors, response }: GraphQLFailure): Problem {
  const [error] = graphQLErrors;
  if (error === undefined) return response?.status === undefined ? UNREACHABLE : describeOtherAnswer(response.status);
  const { code, correlationId, retryAfterSeconds } = error.extensions ?? {};
  const later = typeof retryAfterSeconds === 'number' ? ` Try again in ${retryAfterSeconds} s.` : '';
  return {
    code: typeof code === 'string' ? code : 'UPSTREAM_UNAVAILABLE',
    message: `${nameFilter(error.message)}${later}`,
    ...(typeof correlationId === 'string' && { correlationId }),
  };
}

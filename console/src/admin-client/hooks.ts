import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient, useMutation, useQuery } from 'urql';
import { useSearch } from 'wouter';
import { useFreshSignIn } from '../fresh-sign-in.tsx';
import type { TypedDocumentString } from '../generated/operations.ts';
import { describeLostAnswer, isOutage, type Outcome, type Problem, toOutcome, toProblem } from '../texts/problem.ts';
import { createIdempotencyKeys } from './idempotency-keys.ts';
import { useGoWithin, usePageState } from './page-state.ts';
import { SLOW_POLL_MS, useIsPollingEnabled } from './polling.ts';

/**
 * Makes every mutation refetch every query on the page. By default urql invalidates queries by the types in their
 * answers, and an empty list contains no type.
 */
const INVALIDATED_BY_EVERY_MUTATION = { additionalTypenames: ['Anything'] };

export type Variables = Readonly<Record<string, unknown>>;

export interface AdminQuery<Result> {
  /** The last answer. It stays while a refetch is running, while the service is unreachable, and when the session has ended. */
  readonly data: Result | undefined;
  readonly problem: Problem | undefined;
  readonly refetch: () => void;
  /** Whether `data` still belongs to the previous variables because the new answer has not arrived. */
  readonly isStale: boolean;
}

interface QueryOptions {
  readonly pollMs?: number | undefined;
  readonly pause?: boolean;
  /** Waits for the network and never returns a cached answer. */
  readonly skipCache?: boolean;
}

/**
 * Runs a query. While the operator looks at the page, it polls every `pollMs`, and every 5 s during an outage until the api
 * answers again.
 */
export function useAdminQuery<Result, V extends Variables>(
  document: TypedDocumentString<Result, V>,
  variables: V,
  { pollMs, pause = false, skipCache = false }: QueryOptions = {},
): AdminQuery<Result> {
  const [{ data: newest, error, operation }, ask] = useQuery<Result, V>({
    query: document.toString(),
    variables,
    pause,
    context: INVALIDATED_BY_EVERY_MUTATION,
    ...(skipCache && { requestPolicy: 'network-only' }),
  });
  const problem = error && toProblem(error);
  const isOut = problem !== undefined && isOutage(problem);
  const isSignedOut = problem?.code === 'UNAUTHENTICATED';
  // A refetch after an error begins without data and without the error.
  const isKept = isOut || isSignedOut || error === undefined;
  const data = useLastData(newest, JSON.stringify(operation?.variables), JSON.stringify(variables), isKept);
  const period = pollMs ?? (isOut ? SLOW_POLL_MS : undefined);
  const isEnabled = useIsPollingEnabled();
  const refetch = useCallback(() => ask({ requestPolicy: 'network-only' }), [ask]);
  const wasDisabled = useRef(false);
  useEffect(() => {
    if (pause) return;
    if (!isEnabled) {
      wasDisabled.current = true;
      return;
    }
    if (wasDisabled.current) refetch(); // The page must not show old data when the operator returns, or signs in again.
    wasDisabled.current = false;
    if (period === undefined) return;
    const timer = setInterval(refetch, period);
    return () => clearInterval(timer);
  }, [refetch, isEnabled, period, pause]);
  useEffect(() => {
    // The page shows changes of another tab or window as soon as the operator comes back to it.
    if (!isEnabled || pause) return;
    window.addEventListener('focus', refetch);
    return () => window.removeEventListener('focus', refetch);
  }, [refetch, isEnabled, pause]);
  useEffect(() => {
    if (!isOut || pause) return;
    window.addEventListener('online', refetch);
    return () => window.removeEventListener('online', refetch);
  }, [refetch, isOut, pause]);
  const isStale = JSON.stringify(operation?.variables) !== JSON.stringify(variables);
  return { data, problem, refetch, isStale };
}

/**
 * Returns the newest answer or, while there can be none, the last answer to the same query.
 * @param answered the variables of the newest answer. @param asked the variables of now.
 */
function useLastData<Result>(
  newest: Result | undefined,
  answered: string,
  asked: string,
  isKept: boolean,
): Result | undefined {
  const [last, setLast] = useState<{ answered: string; data: Result }>();
  if (newest !== undefined && newest !== last?.data) setLast({ answered, data: newest });
  return newest ?? (isKept && last?.answered === asked ? last.data : undefined);
}

/** Returns a function that asks the api once, and never returns a cached answer. */
export function useQuestion<Result, V extends Variables>(
  document: TypedDocumentString<Result, V>,
): (variables: V) => Promise<Outcome<Result>> {
  const client = useClient();
  return async (variables) =>
    toOutcome(await client.query<Result, V>(document.toString(), variables, { requestPolicy: 'network-only' }));
}

/** Returns a function that runs a mutation. If the api requires a fresh sign-in, the operator signs in first and the mutation repeats. */
export function useAdminMutation<Result, V extends Variables>(
  document: TypedDocumentString<Result, V>,
): (variables: V) => Promise<Outcome<Result>> {
  const [, mutate] = useMutation<Result, V>(document.toString());
  const requestFreshSignIn = useFreshSignIn();
  return useCallback(
    async (variables: V) => {
      const run = async () => toOutcome(await mutate(variables, INVALIDATED_BY_EVERY_MUTATION));
      let outcome = await run();
      if (outcome.problem?.code === 'FRESH_SIGN_IN_REQUIRED' && (await requestFreshSignIn())) outcome = await run();
      return outcome.problem?.code === 'UNREACHABLE' ? { problem: describeLostAnswer(document.toString()) } : outcome;
    },
    [mutate, requestFreshSignIn, document],
  );
}

/** Returns a function that creates something once, even if the request repeats. It passes an idempotency key to `variablesFor`. */
export function useIdempotentMutation<Result, V extends Variables>(
  document: TypedDocumentString<Result, V>,
): (variablesFor: (idempotencyKey: string) => V) => Promise<Outcome<Result>> {
  const mutate = useAdminMutation(document);
  const [keys] = useState(() => createIdempotencyKeys());
  return useCallback(
    async (variablesFor) => {
      const outcome = await mutate(variablesFor(keys.keyFor(JSON.stringify(variablesFor('')))));
      if (outcome.data) keys.answered();
      return outcome;
    },
    [mutate, keys],
  );
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

export interface PaginatedState<Item> {
  readonly items: readonly Item[] | undefined;
  readonly problem: Problem | undefined;
  readonly refetch: () => void;
  /** From 1. */
  readonly page: number;
  /** Whether `items` still belong to another page or filter because the new answer has not arrived. */
  readonly isStale: boolean;
  /** Goes to the next or previous page; undefined if there is none. */
  readonly next: (() => void) | undefined;
  readonly previous: (() => void) | undefined;
}

interface PaginationOptions {
  readonly pollMs?: number | undefined;
  readonly pause?: boolean;
  /** Distinguishes the list from another one on the same page. */
  readonly name?: string;
}

/**
 * Reads a list page by page. The page is in the URL, so that Back, a reload and a colleague find it; a filter that changes must
 * call `dropPages`.
 */
export function usePaginatedQuery<Result, Item, V extends Variables>(
  document: TypedDocumentString<Result, V & { first?: number | null; after?: string | null }>,
  variables: V & { first?: number | null },
  getPage: (result: Result) => Page<Item>,
  { name = '', ...options }: PaginationOptions = {},
): PaginatedState<Item> {
  const [afterName, pageName] = name === '' ? ['after', 'page'] : [`after-${name}`, `page-${name}`];
  const params = new URLSearchParams(useSearch());
  const after = params.get(afterName);
  const number = Number(params.get(pageName));
  const page = after === null || !Number.isSafeInteger(number) || number < 2 ? (after === null ? 1 : 2) : number;
  const { trails = {} } = usePageState();
  const trail = trails[name] ?? [];
  const goWithin = useGoWithin();
  const { data, problem, refetch, isStale } = useAdminQuery(document, { ...variables, after }, options);
  const found = data && getPage(data);
  // A cursor of the previous list is not valid in this one.
  const { endCursor = null, hasNextPage = false } = isStale ? {} : (found?.pageInfo ?? {});
  const goTo = (cursor: string | undefined, pageNumber: number, cursors: readonly string[]) =>
    goWithin(
      (changed) => {
        changed.delete(afterName);
        changed.delete(pageName);
        if (cursor === undefined) return;
        changed.set(afterName, cursor);
        changed.set(pageName, String(pageNumber));
      },
      { state: { trails: { ...trails, [name]: cursors } }, replace: false },
    );
  return {
    items: found?.items,
    problem,
    refetch,
    page,
    isStale,
    next:
      hasNextPage && endCursor !== null
        ? () => goTo(endCursor, page + 1, after === null ? [] : [...trail, after])
        : undefined,
    // The link of a colleague knows no way back but to the first page.
    previous: after === null ? undefined : () => goTo(trail.at(-1), page - 1, trail.slice(0, -1)),
  };
}

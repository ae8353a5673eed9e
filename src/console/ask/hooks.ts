import { use, useCallback, useEffect, useRef, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import type { TypedDocumentString } from '../generated/operations.ts';
import { isOutage, type Outcome, outcomeOf, type Problem, problemOf, UNDECIDED } from '../words/problem.ts';
import { createKeysOfMaking } from './keys-of-making.ts';
import { CALM_MS, useAwake } from './pace.ts';
import { SignInAgain } from './sign-in-again.ts';

/**
 * Whatever is shown is read again after any change. Left to itself the cache goes by the types in an answer, and an
 * empty list names none.
 */
const EVERYTHING = { additionalTypenames: ['Anything'] };

type Variables = Readonly<Record<string, unknown>>;

export interface Answer<Result> {
  /** The last that came, also while a newer one is on its way or cannot be had because the service is out of reach. */
  readonly data: Result | undefined;
  readonly problem: Problem | undefined;
  readonly again: () => void;
  /** Whether `data` still answers what was asked before, and the answer to this is on its way. */
  readonly isOld: boolean;
}

interface AskOptions {
  readonly everyMs?: number | undefined;
  readonly pause?: boolean;
  /** Takes no answer that was there before. */
  readonly isFresh?: boolean;
}

/** Asks, and asks again for as long as somebody looks: with `everyMs`, and while there is no answer. */
export function useAsk<Result, V extends Variables>(
  document: TypedDocumentString<Result, V>,
  variables: V,
  { everyMs, pause = false, isFresh = false }: AskOptions = {},
): Answer<Result> {
  const [{ data: newest, error, operation }, ask] = useQuery<Result, V>({
    query: document.toString(),
    variables,
    pause,
    context: EVERYTHING,
    ...(isFresh && { requestPolicy: 'network-only' }),
  });
  const problem = error && problemOf(error);
  const isOut = problem !== undefined && isOutage(problem);
  const data = useLast(newest, operation?.key, isOut);
  const period = everyMs ?? (isOut ? CALM_MS : undefined);
  const awake = useAwake();
  const again = useCallback(() => ask({ requestPolicy: 'network-only' }), [ask]);
  const slept = useRef(false);
  useEffect(() => {
    if (period === undefined || pause) return;
    if (!awake) {
      slept.current = true;
      return;
    }
    if (slept.current) again(); // What is seen first is not to be old.
    slept.current = false;
    const timer = setInterval(again, period);
    return () => clearInterval(timer);
  }, [again, awake, period, pause]);
  const isOld = JSON.stringify(operation?.variables) !== JSON.stringify(variables);
  return { data, problem, again, isOld };
}

/** What was answered last to the same question, in place of an answer that cannot be had now. */
function useLast<Result>(newest: Result | undefined, question: number | undefined, isOut: boolean): Result | undefined {
  const [last, setLast] = useState<{ question: number | undefined; data: Result }>();
  if (newest !== undefined && newest !== last?.data) setLast({ question, data: newest });
  return newest ?? (isOut && last?.question === question ? last?.data : undefined);
}

/** A function that does something, and says what came of it. Where the api wants a fresh sign-in for it, that comes first. */
export function useAct<Result, V extends Variables>(
  document: TypedDocumentString<Result, V>,
): (variables: V) => Promise<Outcome<Result>> {
  const [, mutate] = useMutation<Result, V>(document.toString());
  const signInAgain = use(SignInAgain);
  return useCallback(
    async (variables: V) => {
      const run = async () => outcomeOf(await mutate(variables, EVERYTHING));
      let outcome = await run();
      if (outcome.problem?.code === 'FRESH_SIGN_IN_REQUIRED' && (await signInAgain())) outcome = await run();
      return outcome.problem?.code === 'UNREACHABLE' ? { problem: UNDECIDED } : outcome;
    },
    [mutate, signInAgain],
  );
}

/** A function that makes something, once however often it has to be sent. It is told the variables for a key of ours. */
export function useMake<Result, V extends Variables>(
  document: TypedDocumentString<Result, V>,
): (variablesFor: (idempotencyKey: string) => V) => Promise<Outcome<Result>> {
  const act = useAct(document);
  const [keys] = useState(() => createKeysOfMaking());
  return useCallback(
    async (variablesFor) => {
      const outcome = await act(variablesFor(keys.keyFor(JSON.stringify(variablesFor('')))));
      if (outcome.data) keys.answered();
      return outcome;
    },
    [act, keys],
  );
}

interface Listed<Item> {
  readonly items: readonly Item[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

export interface Pages<Item> {
  readonly items: readonly Item[] | undefined;
  readonly problem: Problem | undefined;
  readonly again: () => void;
  /** Turning to the page after, or before, this one; undefined where there is none. */
  readonly next: (() => void) | undefined;
  readonly previous: (() => void) | undefined;
}

/** A long list, a page at a time. It begins anew whenever the variables change. */
export function usePages<Result, Item, V extends Variables>(
  document: TypedDocumentString<Result, V & { first?: number | null; after?: string | null }>,
  variables: V & { first?: number | null },
  listOf: (result: Result) => Listed<Item>,
  options: { everyMs?: number | undefined; pause?: boolean } = {},
): Pages<Item> {
  const key = JSON.stringify(variables);
  const [place, setPlace] = useState<{ key: string; cursors: readonly string[] }>({ key, cursors: [] });
  const cursors = place.key === key ? place.cursors : [];
  const { data, problem, again, isOld } = useAsk(document, { ...variables, after: cursors.at(-1) ?? null }, options);
  const list = data && listOf(data);
  // What ends another list's page begins none of this one's.
  const { endCursor = null, hasNextPage = false } = isOld ? {} : (list?.pageInfo ?? {});
  return {
    items: list?.items,
    problem,
    again,
    next: hasNextPage && endCursor !== null ? () => setPlace({ key, cursors: [...cursors, endCursor] }) : undefined,
    previous: cursors.length > 0 ? () => setPlace({ key, cursors: cursors.slice(0, -1) }) : undefined,
  };
}

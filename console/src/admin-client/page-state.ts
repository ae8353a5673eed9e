import { useCallback } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';

/**
 * State of one entry of the browser's history that is kept out of the URL, because proxies log URLs: the name of a person, and
 * the way through the pages of a list. Back and a reload keep it.
 */
interface PageState {
  /** Typed texts, by the name of their field. */
  readonly texts?: Readonly<Record<string, string>>;
  /** The cursors of the pages before this one, by the name of their list. */
  readonly trails?: Readonly<Record<string, readonly string[]>>;
}

export const usePageState = (): PageState => useHistoryState<PageState | null>() ?? {};

/** Returns a function that opens the same page with other parameters, and with more of its state. */
export function useGoWithin(): (
  change: (params: URLSearchParams) => void,
  options: { readonly state?: PageState; readonly replace: boolean },
) => void {
  const [path, go] = useLocation();
  const search = useSearch();
  const before = usePageState();
  return useCallback(
    (change, { state = {}, replace }) => {
      const params = new URLSearchParams(search);
      change(params);
      const query = params.toString();
      go(query === '' ? path : `${path}?${query}`, { state: { ...before, ...state }, replace });
    },
    [path, go, search, before],
  );
}

/** Forgets the page of each list: another filter makes another list. */
export function dropPages(params: URLSearchParams): void {
  for (const name of [...params.keys()]) if (/^(after|page)(-|$)/.test(name)) params.delete(name);
}

/** A text of the page that Back and a reload keep, and that stays out of the URL. */
export function usePrivateText(name: string): readonly [string, (text: string) => void] {
  const { texts = {} } = usePageState();
  const go = useGoWithin();
  const set = (text: string) =>
    go(dropPages, { state: { texts: { ...texts, [name]: text }, trails: {} }, replace: true });
  return [texts[name] ?? '', set];
}

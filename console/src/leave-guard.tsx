import { Button, Group, Text } from '@mantine/core';
import { useEffect, useSyncExternalStore } from 'react';
import { useBrowserLocation, useSearch } from 'wouter/use-browser-location';
import { Dialog } from './components/dialog.tsx';

/**
 * Keeps the operator on a page that shows something only once, until they confirm that they have it, or whose changes they have not
 * saved. While a guard is on, the router sees the address at which it began, so that not even the browser's Back takes the page
 * away; a dialog asks first.
 */
interface Guard {
  /** The thing that would be lost, such as “the key”; null for changes of a form. */
  readonly what: string | null;
  readonly location: string;
  search: string;
  /** The tab of the page. */
  readonly hash: string;
}

/** Where the operator wants to go: an address, or `back` for the browser's own buttons. */
type Wish = { readonly kind: 'back' } | { readonly kind: 'go'; readonly go: () => void };

/** The last of these is in force: a page may have several forms. */
let guards: readonly Guard[] = [];
let wish: Wish | undefined;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
function set(nextGuards: readonly Guard[], nextWish?: Wish): void {
  guards = nextGuards;
  wish = nextWish;
  for (const listener of listeners) listener();
}
const useGuard = () => useSyncExternalStore(subscribe, () => guards.at(-1));

/** The location for the router. */
export const useGuardedLocation: typeof useBrowserLocation = (options) => {
  const [location, navigate] = useBrowserLocation(options);
  const current = useGuard();
  const go: typeof navigate = (...to) => {
    const url = new URL(String(to[0]), window.location.href);
    // Another page of a list, or other filters, lose nothing.
    const isSamePage = guards.at(-1)?.location === url.pathname;
    if (isSamePage) for (const guard of guards) guard.search = url.search;
    if (isSamePage || guards.length === 0) return navigate(...to);
    set(guards, { kind: 'go', go: () => navigate(...to) });
  };
  return [current?.location ?? location, go];
};

/** The search part of the location for the router. */
export const useGuardedSearch: typeof useSearch = (options) => {
  const search = useSearch(options);
  return useGuard()?.search ?? search;
};

/** Lets the operator leave: they have saved the secret. */
export const endGuard = (): void => set([]);

/** Asks before the operator leaves the page, as long as the calling component is shown. @param what `undefined` while nothing would be lost */
export function useLeaveGuard(what: string | null | undefined): void {
  useEffect(() => {
    if (what === undefined) return;
    const { pathname, search, hash } = window.location;
    const guard = { what, location: pathname, search, hash };
    // A secret comes before changes.
    set(what === null ? [guard, ...guards] : [...guards, guard]);
    const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault();
    const onBack = () => guards.at(-1) === guard && set(guards, { kind: 'back' });
    window.addEventListener('beforeunload', askBrowser);
    window.addEventListener('popstate', onBack);
    return () => {
      window.removeEventListener('beforeunload', askBrowser);
      window.removeEventListener('popstate', onBack);
      const [left, wanted] = [guards.filter((one) => one !== guard), wish];
      set(left, left.length === 0 ? undefined : wanted);
      // What was just saved arrives after the click.
      if (left.length === 0 && wanted?.kind === 'go') wanted.go();
    };
  }, [what]);
}

/** Asks whether to leave a secret that is shown only once, or unsaved changes. */
export function LeaveQuestion() {
  const wanted = useSyncExternalStore(subscribe, () => wish);
  const guard = useGuard();
  if (wanted === undefined || guard === undefined) return null;
  const stay = () => {
    set(guards);
    // The browser has gone back already; the page has not.
    if (wanted.kind === 'back') window.history.pushState(null, '', `${guard.location}${guard.search}${guard.hash}`);
  };
  const leave = () => {
    set([]);
    if (wanted.kind === 'go') wanted.go();
  };
  return (
    <Dialog title={`Leave without saving ${guard.what ?? 'your changes'}?`} onClose={stay}>
      <Text>
        {guard.what === null
          ? 'They are lost if you leave.'
          : 'It cannot be shown again. If you have not stored it in a safe place, stay and copy it.'}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={leave}>
          Leave
        </Button>
        <Button onClick={stay} data-autofocus>
          Stay
        </Button>
      </Group>
    </Dialog>
  );
}

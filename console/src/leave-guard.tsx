import { Button, Group, Text } from '@mantine/core';
import { useEffect, useSyncExternalStore } from 'react';
import { useBrowserLocation, useSearch } from 'wouter/use-browser-location';
import { Dialog } from './components/dialog.tsx';

/**
 * Keeps the operator on a page that shows something only once, until they confirm that they have it. While a guard is on, the
 * router sees the address at which it began, so that not even the browser's Back takes the page away; a dialog asks first.
 */
interface Guard {
  /** The thing that would be lost, such as “the key”. */
  readonly what: string;
  readonly location: string;
  readonly search: string;
  /** The tab of the page. */
  readonly hash: string;
}

/** Where the operator wants to go: an address, or `back` for the browser's own buttons. */
type Wish = { readonly kind: 'back' } | { readonly kind: 'go'; readonly go: () => void };

let guard: Guard | undefined;
let wish: Wish | undefined;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
function set(nextGuard: Guard | undefined, nextWish: Wish | undefined): void {
  guard = nextGuard;
  wish = nextWish;
  for (const listener of listeners) listener();
}
const useGuard = () => useSyncExternalStore(subscribe, () => guard);

/** The location for the router. */
export const useGuardedLocation: typeof useBrowserLocation = (options) => {
  const [location, navigate] = useBrowserLocation(options);
  const current = useGuard();
  const go: typeof navigate = (...to) => {
    if (guard === undefined) return navigate(...to);
    set(guard, { kind: 'go', go: () => navigate(...to) });
  };
  return [current?.location ?? location, go];
};

/** The search part of the location for the router. */
export const useGuardedSearch: typeof useSearch = (options) => {
  const search = useSearch(options);
  return useGuard()?.search ?? search;
};

/** Lets the operator leave: they have saved the secret. */
export const endGuard = (): void => set(undefined, undefined);

/** Asks before the operator leaves the page, as long as the calling component is shown. */
export function useLeaveGuard(what: string): void {
  useEffect(() => {
    const { pathname, search, hash } = window.location;
    set({ what, location: pathname, search, hash }, undefined);
    const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault();
    const onBack = () => guard && set(guard, { kind: 'back' });
    window.addEventListener('beforeunload', askBrowser);
    window.addEventListener('popstate', onBack);
    return () => {
      window.removeEventListener('beforeunload', askBrowser);
      window.removeEventListener('popstate', onBack);
      set(undefined, undefined);
    };
  }, [what]);
}

/** Asks whether to leave a secret that is shown only once. */
export function LeaveQuestion() {
  const wanted = useSyncExternalStore(subscribe, () => wish);
  const what = useGuard()?.what;
  if (wanted === undefined || what === undefined) return null;
  const stay = () => {
    const address = guard && `${guard.location}${guard.search}${guard.hash}`;
    set(guard, undefined);
    // The browser has gone back already; the page has not.
    if (wanted.kind === 'back' && address !== undefined) window.history.pushState(null, '', address);
  };
  const leave = () => {
    set(undefined, undefined);
    if (wanted.kind === 'go') wanted.go();
  };
  return (
    <Dialog title={`Leave without saving ${what}?`} onClose={stay}>
      <Text>It cannot be shown again. If you have not stored it in a safe place, stay and copy it.</Text>
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

import { Text } from '@mantine/core';
import { createContext, type ReactNode, use, useCallback, useState } from 'react';
import { Dialog } from './components/dialog.tsx';
import { TokenForm } from './components/token-form.tsx';

const FreshSignIn = createContext<() => Promise<boolean>>(async () => false);

/**
 * Returns a function that asks the operator to sign in again. It resolves to whether they did; it never resolves if the
 * sign-in leaves this page for an identity provider.
 */
export const useFreshSignIn = (): (() => Promise<boolean>) => use(FreshSignIn);

/** Shows the sign-in over the page when an action requires a fresh one. One sign-in serves every action that waits for it. */
export function FreshSignInProvider({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<readonly ((isSignedIn: boolean) => void)[]>([]);
  const request = useCallback(
    () => new Promise<boolean>((resolve) => setWaiting((before) => [...before, resolve])),
    [],
  );
  const close = (isSignedIn: boolean) => {
    for (const resolve of waiting) resolve(isSignedIn);
    setWaiting([]);
  };
  return (
    <FreshSignIn value={request}>
      {children}
      {waiting.length > 0 && (
        <Dialog title="Sign in again" onClose={() => close(false)}>
          <Text>This action needs a sign-in within the last five minutes. Sign in again to continue.</Text>
          <TokenForm again onSignedIn={() => close(true)} />
        </Dialog>
      )}
    </FreshSignIn>
  );
}

import { Text } from '@mantine/core';
import { type ReactNode, useCallback, useState } from 'react';
import { SignInAgain } from './ask/sign-in-again.ts';
import { Dialog } from './parts/dialog.tsx';
import { TokenForm } from './parts/token-form.tsx';

/** Asks for a fresh sign-in, over the page, when the api wants one for what the operator is about to do. */
export function SignsInAgain({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<(isIn: boolean) => void>();
  const ask = useCallback(() => new Promise<boolean>((resolve) => setWaiting(() => resolve)), []);
  const end = (isIn: boolean) => {
    waiting?.(isIn);
    setWaiting(undefined);
  };
  return (
    <SignInAgain value={ask}>
      {children}
      {waiting && (
        <Dialog title="Sign in again" onClose={() => end(false)}>
          <Text>This cannot be taken back, and you signed in some time ago. Prove that it is you.</Text>
          <TokenForm again onSignedIn={() => end(true)} />
        </Dialog>
      )}
    </SignInAgain>
  );
}

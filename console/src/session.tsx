import { notifications } from '@mantine/notifications';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { Provider } from 'urql';
import { createClient } from './admin-client/client.ts';
import { useAdminQuery } from './admin-client/hooks.ts';
import { QueryState } from './components/query-state.tsx';
import { SESSION_URL } from './components/token-form.tsx';
import { FreshSignInProvider } from './fresh-sign-in.tsx';
import { MeDocument, type MeQuery } from './generated/operations.ts';
import { SignIn } from './pages/sign-in.tsx';

export type Me = MeQuery['me'];

interface Session {
  readonly me: Me;
  readonly signOut: () => Promise<void>;
}

const SessionContext = createContext<Session | undefined>(undefined);

/** Returns the signed-in operator. Requires a `SessionProvider`. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('useSession needs a SessionProvider.');
  return session;
}

/** Operators must not leave the screen thinking that the session has ended. */
const SIGN_OUT_FAILED = { title: 'You are still signed in', message: 'The api could not end your session. Try again.' };

interface State {
  /** Counts sign-ins. */
  readonly signInCount: number;
  /** Whether the api has confirmed the session. */
  readonly isConfirmed: boolean;
  readonly signedOut?: 'expired' | 'byOperator';
}

/** Shows its children to a signed-in operator, and otherwise the sign-in at the same URL. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State>({ signInCount: 0, isConfirmed: false });
  const end = useCallback(
    (signedOut: 'expired' | 'byOperator') => setState((before) => ({ ...before, signedOut })),
    [],
  );
  const confirm = useCallback(() => setState((before) => ({ ...before, isConfirmed: true })), []);
  const start = useCallback(
    () => setState((before) => ({ signInCount: before.signInCount + 1, isConfirmed: false })),
    [],
  );
  const { signInCount, isConfirmed, signedOut } = state;
  // The next operator must not find the previous operator's data in memory.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each sign-in gets a new client.
  const client = useMemo(() => createClient(() => end('expired')), [signInCount, end]);
  if (signedOut) return <SignIn hasExpired={signedOut === 'expired' && isConfirmed} onSignedIn={start} />;
  return (
    <Provider value={client}>
      <FreshSignInProvider>
        <CurrentUser onConfirmed={confirm} onSignedOut={() => end('byOperator')}>
          {children}
        </CurrentUser>
      </FreshSignInProvider>
    </Provider>
  );
}

function CurrentUser({
  onConfirmed,
  onSignedOut,
  children,
}: {
  onConfirmed: () => void;
  onSignedOut: () => void;
  children: ReactNode;
}) {
  const query = useAdminQuery(MeDocument, {});
  const { data } = query;
  useEffect(() => {
    if (data) onConfirmed();
  }, [data, onConfirmed]);
  const session = useMemo(
    () =>
      data && {
        me: data.me,
        signOut: async () => {
          const hasEnded = await fetch(SESSION_URL, { method: 'DELETE' }).then(
            ({ ok }) => ok,
            () => false,
          );
          if (hasEnded) onSignedOut();
          else notifications.show({ ...SIGN_OUT_FAILED, color: 'red', autoClose: false });
        },
      },
    [data, onSignedOut],
  );
  if (session) return <SessionContext value={session}>{children}</SessionContext>;
  return <QueryState of={query} />;
}

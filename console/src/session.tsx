import { notifications } from '@mantine/notifications';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { Provider } from 'urql';
import { createClient } from './admin-client/client.ts';
import { useAdminQuery } from './admin-client/hooks.ts';
import { PollingEnabled, useIsPollingEnabled } from './admin-client/polling.ts';
import { BarePage } from './components/bare-page.tsx';
import { QueryState } from './components/query-state.tsx';
import { SESSION_URL } from './components/token-form.tsx';
import { FreshSignInProvider } from './fresh-sign-in.tsx';
import { MeDocument, type MeQuery } from './generated/operations.ts';
import { waitOrOnline } from './load-patiently.ts';
import { SignIn, SignInAgain } from './pages/sign-in.tsx';

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
  /** Counts the operators who have signed in here. */
  readonly signInCount: number;
  /** Whose session it is or, after its end, was. */
  readonly me?: Me;
  readonly signedOut?: 'expired' | 'byOperator';
}

/** An identity provider's sign-in creates a token of the same name each time. */
const isSameOperator = (one: Me | undefined, other: Me): boolean =>
  one?.label === other.label && one.role === other.role;

/**
 * Shows its children to a signed-in operator, and otherwise the sign-in at the same URL. If a session expires, the page stays
 * under the sign-in with all that was typed into it; it continues when the same operator signs in, in this tab or another one.
 */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State>({ signInCount: 0 });
  const { signInCount, me, signedOut } = state;
  const expire = useCallback(() => setState((before) => ({ ...before, signedOut: 'expired' })), []);
  const signOut = useCallback(() => setState(({ signInCount }) => ({ signInCount, signedOut: 'byOperator' })), []);
  const confirm = useCallback((confirmed: Me) => setState((before) => ({ ...before, me: confirmed })), []);
  const hasExpired = signedOut === 'expired' && me !== undefined;
  const start = useCallback(
    async (unlessAnswered?: 'stay') => {
      const ask = () => createClient(() => {}).query<MeQuery>(MeDocument.toString(), {});
      let answer = await ask();
      if (answer.data === undefined && unlessAnswered === 'stay') return;
      // Under the sign-in stands a page with all that was typed. It goes only once another operator is known to have signed in.
      while (hasExpired && answer.error?.networkError) {
        await waitOrOnline();
        answer = await ask();
      }
      const { data } = answer;
      setState((before) =>
        data !== undefined && isSameOperator(before.me, data.me)
          ? { signInCount: before.signInCount, me: data.me }
          : { signInCount: before.signInCount + 1 },
      );
    },
    [hasExpired],
  );
  // The next operator must not find the previous operator's data in memory.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each operator gets a new client.
  const client = useMemo(() => createClient(expire), [signInCount, expire]);
  const isPolling = useIsPollingEnabled();
  const signIn = { onSignedIn: () => void start(), onReturn: () => void start('stay') };
  if (signedOut !== undefined && !hasExpired) return <SignIn {...signIn} />;
  return (
    <>
      {hasExpired && <SignInAgain {...signIn} />}
      <div inert={hasExpired} key={signInCount}>
        <PollingEnabled value={isPolling && !hasExpired}>
          <Provider value={client}>
            <FreshSignInProvider>
              <CurrentUser onConfirmed={confirm} onSignedOut={signOut}>
                {children}
              </CurrentUser>
            </FreshSignInProvider>
          </Provider>
        </PollingEnabled>
      </div>
    </>
  );
}

function CurrentUser({
  onConfirmed,
  onSignedOut,
  children,
}: {
  onConfirmed: (me: Me) => void;
  onSignedOut: () => void;
  children: ReactNode;
}) {
  const query = useAdminQuery(MeDocument, {});
  const { data } = query;
  useEffect(() => {
    if (data) onConfirmed(data.me);
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
  return (
    <BarePage>
      <QueryState of={query} />
    </BarePage>
  );
}

import { notifications } from '@mantine/notifications';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { Provider } from 'urql';
import { createClient } from './ask/client.ts';
import { useAsk } from './ask/hooks.ts';
import { MeDocument, type MeQuery } from './generated/operations.ts';
import { SignIn } from './pages/sign-in.tsx';
import { ProblemNote } from './parts/problem-note.tsx';
import { SESSION_URL } from './parts/token-form.tsx';
import { Waiting } from './parts/waiting.tsx';
import { SignsInAgain } from './sign-in-again.tsx';

export type Me = MeQuery['me'];

interface Session {
  readonly me: Me;
  readonly signOut: () => Promise<void>;
}

const Current = createContext<Session | undefined>(undefined);

/** Who is signed in. Only below `SignedIn`. */
export function useSession(): Session {
  const session = use(Current);
  if (session === undefined) throw new Error('Nobody is signed in here.');
  return session;
}

/** Nobody is to leave the screen in the belief that the session has ended. */
const STILL_HERE = { title: 'You are still signed in', message: 'The api has not ended your session. Try again.' };

interface Visit {
  readonly visit: number;
  /** Whether there has been a session in it. */
  readonly known: boolean;
  readonly signedOut?: 'ended' | 'left';
}

/** Shows what is in it to whoever has a session, and the sign-in to everybody else, at the same address. */
export function SignedIn({ children }: { children: ReactNode }) {
  const [state, setState] = useState<Visit>({ visit: 0, known: false });
  const end = useCallback((signedOut: 'ended' | 'left') => setState((before) => ({ ...before, signedOut })), []);
  const know = useCallback(() => setState((before) => ({ ...before, known: true })), []);
  const begin = useCallback(() => setState(({ visit }) => ({ visit: visit + 1, known: false })), []);
  const { visit, known, signedOut } = state;
  // Whoever comes next is to find nothing in memory of what the one before was shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new visit is what asks for a new client.
  const client = useMemo(() => createClient(() => end('ended')), [visit, end]);
  if (signedOut) return <SignIn wasIn={signedOut === 'ended' && known} onSignedIn={begin} />;
  return (
    <Provider value={client}>
      <SignsInAgain>
        <Known onKnown={know} onLeave={() => end('left')}>
          {children}
        </Known>
      </SignsInAgain>
    </Provider>
  );
}

function Known({ onKnown, onLeave, children }: { onKnown: () => void; onLeave: () => void; children: ReactNode }) {
  const { data, problem, again } = useAsk(MeDocument, {});
  useEffect(() => {
    if (data) onKnown();
  }, [data, onKnown]);
  const session = useMemo(
    () =>
      data && {
        me: data.me,
        signOut: async () => {
          const isOver = await fetch(SESSION_URL, { method: 'DELETE' }).then(
            ({ ok }) => ok,
            () => false,
          );
          if (isOver) onLeave();
          else notifications.show({ ...STILL_HERE, color: 'red', autoClose: false });
        },
      },
    [data, onLeave],
  );
  if (session) return <Current value={session}>{children}</Current>;
  return problem ? <ProblemNote problem={problem} onAgain={again} /> : <Waiting />;
}

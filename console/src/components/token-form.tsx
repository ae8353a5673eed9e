import { Button, Code, Divider, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { type Problem, UNREACHABLE } from '../texts/problem.ts';
import { ProblemAlert } from './problem-alert.tsx';

export const SESSION_URL = '/api/admin/session';
const SIGN_IN_URL = '/api/admin/sign-in';
const TOKEN = /^\S+\.\S+$/;

/** @returns the problem if the sign-in failed. */
async function signIn(token: string): Promise<Problem | undefined> {
  try {
    const response = await fetch(SESSION_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    if (response.ok) return undefined;
    const { code, message } = (await response.json()) as { code: string; message: string };
    const correlationId = response.headers.get('x-correlation-id') ?? '';
    const isUnknown = code === 'UNAUTHENTICATED';
    return { code, message: isUnknown ? 'This token is unknown, revoked or expired.' : message, correlationId };
  } catch {
    return UNREACHABLE;
  }
}

interface TokenFormProps {
  /** Whether the operator already has a session; the identity provider then authenticates them again. */
  readonly again?: boolean;
  /** Whether the form covers a page that must stay: the identity provider's sign-in then opens in a tab of its own. */
  readonly isOver?: boolean;
  readonly onSignedIn: () => void;
}

/**
 * Signs in with a token or, if configured, through the identity provider, which redirects back to this page.
 */
export function TokenForm({ again = false, isOver = false, onSignedIn }: TokenFormProps) {
  const [problem, setProblem] = useState<Problem>();
  const openId = useOpenIdAvailable();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { token: '' },
    validate: { token: (token) => (TOKEN.test(token.trim()) ? null : 'A token looks like <token-id>.<secret>.') },
  });
  const submit = form.onSubmit(async ({ token }) => {
    const refused = await signIn(token.trim());
    setProblem(refused);
    if (refused) return;
    form.reset();
    onSignedIn();
  });
  const query = new URLSearchParams({ ...(again && { again: '1' }), from: window.location.pathname });
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label="Admin token"
          description="Starts a session in this browser. The token itself is not stored."
          autoComplete="off"
          data-autofocus
          autoFocus
          {...form.getInputProps('token')}
        />
        {problem && <ProblemAlert problem={problem} />}
        <Button type="submit" loading={form.submitting}>
          Sign in
        </Button>
        {openId ? (
          <>
            <Divider label="or" />
            <Button
              component="a"
              href={`${SIGN_IN_URL}?${query}`}
              variant="default"
              {...(isOver && { target: '_blank', rel: 'noreferrer' })}
            >
              Sign in with your organization{isOver && ' ↗'}
            </Button>
            {isOver && (
              <Text size="sm" c="dimmed">
                It opens a new tab. Come back to this one afterwards.
              </Text>
            )}
          </>
        ) : (
          <Text size="sm" c="dimmed">
            No token? An administrator creates one under Operators in this console. The first one comes from the command
            line: <Code>node dist/main.js admin token create --role ADMIN</Code>.
          </Text>
        )}
      </Stack>
    </form>
  );
}

/** Whether operators can sign in through an identity provider. */
export function useOpenIdAvailable(): boolean {
  const [openId, setOpenId] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    fetch(SESSION_URL, { signal: leaving.signal })
      .then(async (response) => setOpenId(((await response.json()) as { openIdConnect: boolean }).openIdConnect))
      .catch(() => setOpenId(false)); // A token still works.
    return () => leaving.abort();
  }, []);
  return openId;
}

import { Button, Code, Divider, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { type Problem, UNREACHABLE } from '../words/problem.ts';
import { ProblemNote } from './problem-note.tsx';

export const SESSION_URL = '/api/admin/session';
const SIGN_IN_URL = '/api/admin/sign-in';
const TOKEN = /^\S+\.\S+$/;

/** @returns why it did not work, if so. */
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

/**
 * Signs in with a token or, where that is set up, at the identity provider, which leads away from this page and back.
 * @param again whether whoever signs in has a session: then the identity provider asks them anew who they are.
 */
export function TokenForm({ again = false, onSignedIn }: { again?: boolean; onSignedIn: () => void }) {
  const [problem, setProblem] = useState<Problem>();
  const openId = useOpenId();
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
          description="It is exchanged for a session of this browser and not kept."
          autoComplete="off"
          data-autofocus
          autoFocus
          {...form.getInputProps('token')}
        />
        {problem && <ProblemNote problem={problem} />}
        <Button type="submit" loading={form.submitting}>
          Sign in
        </Button>
        {openId ? (
          <>
            <Divider label="or" />
            <Button component="a" href={`${SIGN_IN_URL}?${query}`} variant="default">
              Sign in with your organization
            </Button>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            No token? Whoever runs this service makes one with <Code>admin token create</Code>.
          </Text>
        )}
      </Stack>
    </form>
  );
}

/** Whether one may come without a token. */
function useOpenId(): boolean {
  const [openId, setOpenId] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    fetch(SESSION_URL, { signal: leaving.signal })
      .then(async (response) => setOpenId(((await response.json()) as { openIdConnect: boolean }).openIdConnect))
      .catch(() => setOpenId(false)); // Then there is the token.
    return () => leaving.abort();
  }, []);
  return openId;
}

import { Alert, Button, Center, Code, Divider, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { ProblemNote } from '../parts/problem-note.tsx';
import { type Problem, UNREACHABLE } from '../words/problem.ts';

const SIGN_IN_URL = '/api/admin/sign-in';
const TOKEN = /^\S+\.\S+$/;

/** @returns why it did not work, if so. */
async function signIn(sessionUrl: string, token: string): Promise<Problem | undefined> {
  try {
    const response = await fetch(sessionUrl, {
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

/** @param wasIn whether a session has just ended by itself. */
export function SignIn({
  sessionUrl,
  wasIn,
  onSignedIn,
}: {
  sessionUrl: string;
  wasIn: boolean;
  onSignedIn: () => void;
}) {
  const [problem, setProblem] = useState<Problem>();
  const openId = useOpenId(sessionUrl);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { token: '' },
    validate: { token: (token) => (TOKEN.test(token.trim()) ? null : 'A token looks like <token-id>.<secret>.') },
  });
  const submit = form.onSubmit(async ({ token }) => {
    const refused = await signIn(sessionUrl, token.trim());
    setProblem(refused);
    if (refused) return;
    form.reset();
    onSignedIn();
  });
  useEffect(() => {
    document.title = 'Sign in · Console';
  }, []);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={440}>
        <form onSubmit={submit}>
          <Stack>
            <div>
              <Title order={1} size="h2">
                Console
              </Title>
              <Text c="dimmed">Social account connections, for operators.</Text>
            </div>
            {wasIn && <Alert color="yellow">Your session has ended. Sign in again to go on where you were.</Alert>}
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
                <Button component="a" href={SIGN_IN_URL} variant="default">
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
      </Paper>
    </Center>
  );
}

/** Whether one may come without a token. */
function useOpenId(sessionUrl: string): boolean {
  const [openId, setOpenId] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    fetch(sessionUrl, { signal: leaving.signal })
      .then(async (response) => setOpenId(((await response.json()) as { openIdConnect: boolean }).openIdConnect))
      .catch(() => setOpenId(false)); // Then there is the token.
    return () => leaving.abort();
  }, [sessionUrl]);
  return openId;
}

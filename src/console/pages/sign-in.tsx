import { Alert, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { TokenForm } from '../parts/token-form.tsx';

/** @param wasIn whether a session has just ended by itself. */
export function SignIn({ wasIn, onSignedIn }: { wasIn: boolean; onSignedIn: () => void }) {
  useEffect(() => {
    document.title = 'Sign in · Console';
  }, []);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={440}>
        <Stack>
          <div>
            <Title order={1} size="h2">
              Console
            </Title>
            <Text c="dimmed">Social account connections, for operators.</Text>
          </div>
          {wasIn && <Alert color="yellow">Your session has ended. Sign in again to go on where you were.</Alert>}
          <TokenForm onSignedIn={onSignedIn} />
        </Stack>
      </Paper>
    </Center>
  );
}

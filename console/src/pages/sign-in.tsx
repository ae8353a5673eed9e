import { Alert, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { TokenForm } from '../components/token-form.tsx';
import { formatTitle, InstallationBadge } from '../installation.tsx';

/** @param hasExpired whether the previous session has just expired. */
export function SignIn({ hasExpired, onSignedIn }: { hasExpired: boolean; onSignedIn: () => void }) {
  useEffect(() => {
    document.title = formatTitle('Sign in');
  }, []);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={440}>
        <Stack>
          <div>
            <InstallationBadge />
            <Title order={1} size="h2">
              Console
            </Title>
            <Text c="dimmed">Operate and configure social account connections.</Text>
          </div>
          {hasExpired && <Alert color="yellow">Your session has ended. Sign in again to continue.</Alert>}
          <TokenForm onSignedIn={onSignedIn} />
        </Stack>
      </Paper>
    </Center>
  );
}

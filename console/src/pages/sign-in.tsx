import { Alert, Center, Modal, Paper, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { BarePage } from '../components/bare-page.tsx';
import { TokenForm } from '../components/token-form.tsx';
import { formatTitle, InstallationBadge } from '../installation.tsx';

interface SignInProps {
  readonly onSignedIn: () => void;
  /** The operator has come back to this tab, and may have signed in in another one. */
  readonly onReturn: () => void;
}

export function SignIn({ onSignedIn, onReturn }: SignInProps) {
  useTitle();
  useReturn(onReturn);
  return (
    <BarePage>
      <TokenForm onSignedIn={onSignedIn} />
    </BarePage>
  );
}

/** Covers the page of an operator whose session has ended. The page keeps their input. */
export function SignInAgain({ onSignedIn, onReturn }: SignInProps) {
  useTitle();
  useReturn(onReturn);
  return (
    <Modal.Root
      opened
      fullScreen
      zIndex={1000}
      onClose={() => {}}
      closeOnEscape={false}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Content>
        <Center mih="100vh" p="md">
          <Paper withBorder p="xl" w="100%" maw={440}>
            <Stack>
              <div>
                <InstallationBadge />
                <Modal.Title fz="h2" fw={650}>
                  Sign in again
                </Modal.Title>
              </div>
              <Alert color="yellow">Your session has ended. Sign in again to continue.</Alert>
              <Text size="sm">Your input is kept, unless another operator signs in here.</Text>
              <TokenForm isOver onSignedIn={onSignedIn} />
            </Stack>
          </Paper>
        </Center>
      </Modal.Content>
    </Modal.Root>
  );
}

function useTitle(): void {
  useEffect(() => {
    const before = document.title;
    document.title = formatTitle('Sign in');
    return () => {
      document.title = before;
    };
  }, []);
}

function useReturn(onReturn: () => void): void {
  useEffect(() => {
    window.addEventListener('focus', onReturn);
    return () => window.removeEventListener('focus', onReturn);
  }, [onReturn]);
}

import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { InstallationBadge } from '../installation.tsx';

/** A page for a visitor who is not signed in as an operator: it has no navigation. */
export const BarePage = ({ children }: { children: ReactNode }) => (
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
        {children}
      </Stack>
    </Paper>
  </Center>
);

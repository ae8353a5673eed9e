import { Grid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface DetailColumnsProps {
  /** A list of details beside the page's content; below it in a narrow window. */
  readonly details: ReactNode;
  readonly children: ReactNode;
}

/** The page of one thing: its timeline, and at the side its details. */
export const DetailColumns = ({ details, children }: DetailColumnsProps) => (
  <Grid gap="xl">
    <Grid.Col span={{ base: 12, lg: 8 }}>
      <Stack gap="lg">{children}</Stack>
    </Grid.Col>
    <Grid.Col span={{ base: 12, lg: 4 }}>{details}</Grid.Col>
  </Grid>
);

import { Skeleton, Stack } from '@mantine/core';

/** The outline of content that is on its way. */
export const Loading = () => (
  <Stack role="status" aria-label="Loading" gap="sm">
    <Skeleton h={28} w="40%" />
    {ROWS.map((row) => (
      <Skeleton key={row} h={44} />
    ))}
  </Stack>
);

const ROWS = ['first', 'second', 'third', 'fourth'];

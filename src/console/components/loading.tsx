import { Center, Loader } from '@mantine/core';

export const Loading = () => (
  <Center p="xl" role="status" aria-label="Loading">
    <Loader />
  </Center>
);

import { Center, Loader } from '@mantine/core';

export const Waiting = () => (
  <Center p="xl" role="status" aria-label="Loading">
    <Loader />
  </Center>
);

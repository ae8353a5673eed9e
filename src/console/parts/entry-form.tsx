import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** Fields beside the button that takes them in, an `ActButton` of type `submit`: Enter in a field presses it. */
export const EntryForm = ({ children }: { children: ReactNode }) => (
  <form onSubmit={(event) => event.preventDefault()}>
    <Group align="flex-end">{children}</Group>
  </form>
);

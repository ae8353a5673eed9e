import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './inline-form.module.css';

/** Fields and an `ActionButton` of type `submit` in one row. Enter in a field presses the button. */
export const InlineForm = ({ children }: { children: ReactNode }) => (
  <form onSubmit={(event) => event.preventDefault()}>
    <Group align="flex-end" className={classes.form}>
      {children}
    </Group>
  </form>
);

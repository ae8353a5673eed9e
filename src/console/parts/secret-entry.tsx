import { PasswordInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Problem } from '../words/problem.ts';
import { ActButton, type ActButtonProps } from './act-button.tsx';
import { EntryForm } from './entry-form.tsx';

interface SecretEntryProps extends Pick<ActButtonProps, 'operation' | 'label' | 'about' | 'done'> {
  /** What the secret's own field is called. */
  readonly field: string;
  /** Hands the secret in. @returns why it did not work, if so. */
  readonly act: (secret: string) => Promise<Problem | undefined>;
  /** What is told with it, between field and button. */
  readonly children?: ReactNode;
}

/** Takes a secret in, and keeps it no longer than until it is stored. */
export function SecretEntry({ field, act, children, ...button }: SecretEntryProps) {
  const [secret, setSecret] = useState('');
  return (
    <EntryForm>
      <PasswordInput
        label={field}
        autoComplete="off"
        miw={280}
        value={secret}
        onChange={({ currentTarget }) => setSecret(currentTarget.value)}
      />
      {children}
      <ActButton
        type="submit"
        {...button}
        act={async () => {
          const problem = await act(secret);
          if (!problem) setSecret('');
          return problem;
        }}
      />
    </EntryForm>
  );
}

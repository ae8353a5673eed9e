import { PasswordInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Problem } from '../texts/problem.ts';
import { ActionButton, type ActionButtonProps } from './action-button.tsx';
import { InlineForm } from './inline-form.tsx';

interface SecretFormProps
  extends Pick<ActionButtonProps, 'operation' | 'label' | 'target' | 'successMessage' | 'confirm'> {
  /** The label of the secret's field. */
  readonly field: string;
  /** Stores the secret. @returns the problem if that failed. */
  readonly submit: (secret: string) => Promise<Problem | undefined>;
  /** Further fields, before the button. */
  readonly children?: ReactNode;
}

/** Takes a secret and clears the field as soon as the secret is stored. */
export function SecretForm({ field, submit: act, children, ...button }: SecretFormProps) {
  const [secret, setSecret] = useState('');
  return (
    <InlineForm>
      <PasswordInput
        label={field}
        autoComplete="off"
        miw={280}
        value={secret}
        onChange={({ currentTarget }) => setSecret(currentTarget.value)}
      />
      {children}
      <ActionButton
        type="submit"
        {...button}
        run={async () => {
          const problem = await act(secret);
          if (!problem) setSecret('');
          return problem;
        }}
      />
    </InlineForm>
  );
}

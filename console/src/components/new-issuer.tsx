import { Button, Group, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useIdempotentMutation } from '../admin-client/hooks.ts';
import { CreateIdentityIssuerDocument, type TokenAuthMethod } from '../generated/operations.ts';
import type { Problem } from '../texts/problem.ts';
import { toStartOfDay } from '../texts/time.ts';
import { DateInput } from './date-input.tsx';
import { ProblemAlert } from './problem-alert.tsx';

const METHODS: readonly { value: TokenAuthMethod; label: string }[] = [
  { value: 'CLIENT_SECRET_BASIC', label: 'header (client_secret_basic)' },
  { value: 'CLIENT_SECRET_POST', label: 'body (client_secret_post)' },
];

/** A form that stores our client at an OpenID Connect issuer. */
export function NewIssuer({ onCreated }: { onCreated: (id: string) => void }) {
  const create = useIdempotentMutation(CreateIdentityIssuerDocument);
  const [problem, setProblem] = useState<Problem>();
  const form = useForm({
    initialValues: {
      issuer: '',
      clientId: '',
      clientSecret: '',
      tokenAuthMethod: 'CLIENT_SECRET_BASIC' as TokenAuthMethod,
      secretExpiresOn: '',
    },
  });
  const submit = form.onSubmit(async ({ issuer, secretExpiresOn, ...rest }) => {
    const { data, problem: failed } = await create((idempotencyKey) => ({
      input: { ...rest, issuer: issuer.trim(), secretExpiresAt: toStartOfDay(secretExpiresOn), idempotencyKey },
    }));
    setProblem(failed);
    if (data) onCreated(data.createIdentityIssuer.id);
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Issuer"
          description="Exactly as the issuer writes its URL"
          placeholder="https://login.example"
          required
          {...form.getInputProps('issuer')}
        />
        <TextInput label="Client id" required {...form.getInputProps('clientId')} />
        <PasswordInput
          label="Client secret"
          description="Encrypted at once and never shown again"
          autoComplete="off"
          required
          {...form.getInputProps('clientSecret')}
        />
        <Select
          label="Client authentication"
          data={[...METHODS]}
          allowDeselect={false}
          {...form.getInputProps('tokenAuthMethod')}
        />
        <DateInput
          label="Secret expires on"
          description="If the issuer set an expiry date"
          value={form.values.secretExpiresOn}
          onChange={(day) => form.setFieldValue('secretExpiresOn', day)}
        />
        {problem && <ProblemAlert problem={problem} />}
        <Group justify="flex-end">
          <Button type="submit" loading={form.submitting}>
            Add issuer
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { Button, Group, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { formatProvider } from '../../../src/basics/format-provider.ts';
import { useIdempotentMutation } from '../admin-client/hooks.ts';
import { BOUNDS, CreateRegistrationDocument, type SocialProvider } from '../generated/operations.ts';
import { readFieldProblem } from '../texts/field-problems.ts';
import type { Problem } from '../texts/problem.ts';
import { getClientIdName, PROVIDERS } from '../texts/providers.ts';
import { toStartOfDay } from '../texts/time.ts';
import { DateInput } from './date-input.tsx';
import { ProblemAlert } from './problem-alert.tsx';

/** The arguments that the api may refuse, by the words of the form. */
const FIELDS = [
  ['label', 'The label'],
  ['clientId', 'The client id'],
  ['clientSecret', 'The client secret'],
] as const;

interface NewRegistrationProps {
  /** The only provider to choose; any by default. */
  readonly provider?: SocialProvider;
  readonly onCreated: (id: string) => void;
}

/** A form that stores our OAuth client at a provider. */
export function NewRegistration({ provider: only, onCreated }: NewRegistrationProps) {
  const create = useIdempotentMutation(CreateRegistrationDocument);
  const [problem, setProblem] = useState<Problem>();
  const form = useForm({
    initialValues: { provider: (only ?? '') as string, label: '', clientId: '', clientSecret: '', secretExpiresOn: '' },
  });
  const submit = form.onSubmit(async ({ provider, secretExpiresOn, ...rest }) => {
    const { data, problem: failed } = await create((idempotencyKey) => ({
      input: {
        ...rest,
        provider: provider as SocialProvider,
        secretExpiresAt: toStartOfDay(secretExpiresOn),
        idempotencyKey,
      },
    }));
    const faults = FIELDS.flatMap(([name, label]) => {
      const fault = readFieldProblem(failed, name, label);
      return fault === undefined ? [] : [[name, fault]];
    });
    form.setErrors(Object.fromEntries(faults));
    setProblem(faults.length === 0 ? failed : undefined);
    if (data) onCreated(data.createRegistration.id);
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Select
          label="Platform"
          data={(only === undefined ? PROVIDERS : [only]).map((value) => ({ value, label: formatProvider(value) }))}
          required
          {...form.getInputProps('provider')}
        />
        <TextInput
          label="Label"
          description="Shown only in this console"
          required
          maxLength={BOUNDS['CreateRegistrationInput.label'].max}
          {...form.getInputProps('label')}
        />
        <TextInput
          label={getClientIdName(form.values.provider as SocialProvider)}
          required
          maxLength={BOUNDS['CreateRegistrationInput.clientId'].max}
          {...form.getInputProps('clientId')}
        />
        <PasswordInput
          label="Client secret"
          description="Encrypted at once and never shown again"
          autoComplete="off"
          required
          {...form.getInputProps('clientSecret')}
        />
        <DateInput
          label="Secret expires on"
          description="If the provider set an expiry date"
          value={form.values.secretExpiresOn}
          onChange={(day) => form.setFieldValue('secretExpiresOn', day)}
        />
        {problem && <ProblemAlert problem={problem} />}
        <Group justify="flex-end">
          <Button type="submit" loading={form.submitting}>
            Add registration
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

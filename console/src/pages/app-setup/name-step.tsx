import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useIdempotentMutation } from '../../admin-client/hooks.ts';
import { CreateAppDocument } from '../../generated/operations.ts';
import { StepForm } from './step-form.tsx';

export function NameStep({ onCreated }: { onCreated: (id: string) => void }) {
  const create = useIdempotentMutation(CreateAppDocument);
  const [name, setName] = useState('');
  return (
    <StepForm
      title="Name the app"
      lead="People see this name while they connect an account."
      submitLabel="Create app"
      save={async () => {
        const { data, problem } = await create((idempotencyKey) => ({ input: { name, idempotencyKey } }));
        if (data) onCreated(data.createApp.id);
        return problem;
      }}
    >
      <TextInput
        label="Name"
        required
        maxLength={100}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </StepForm>
  );
}

import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMake } from '../../ask/hooks.ts';
import { CreateAppDocument } from '../../generated/operations.ts';
import { StepForm } from './step-form.tsx';

export function NameStep({ onMade }: { onMade: (id: string) => void }) {
  const create = useMake(CreateAppDocument);
  const [name, setName] = useState('');
  return (
    <StepForm
      title="What is the app called?"
      lead="People read it on the pages they pass through while they connect an account."
      submit="Make the app"
      act={async () => {
        const { data, problem } = await create((idempotencyKey) => ({ input: { name, idempotencyKey } }));
        if (data) onMade(data.createApp.id);
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

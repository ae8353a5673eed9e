import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../ask/hooks.ts';
import { CreateAppDocument } from '../../generated/operations.ts';
import { StepForm } from './step-form.tsx';

export function NameStep({ onMade }: { onMade: (id: string) => void }) {
  const create = useAct(CreateAppDocument);
  const [name, setName] = useState('');
  // A name sent twice, because the first answer was lost, makes one app.
  const [visit] = useState(() => crypto.randomUUID());
  return (
    <StepForm
      title="What is the app called?"
      lead="People read it on the pages they pass through while they connect an account."
      submit="Make the app"
      act={async () => {
        const { data, problem } = await create({ input: { name, idempotencyKey: `${visit} ${name}`.slice(0, 100) } });
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

import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useIdempotentMutation } from '../../admin-client/hooks.ts';
import { BOUNDS, CreateAppDocument } from '../../generated/operations.ts';
import { describeLength, findNameFault, readFieldProblem } from '../../texts/field-problems.ts';
import { StepForm } from './step-form.tsx';

export function NameStep({ onCreated }: { onCreated: (id: string) => void }) {
  const create = useIdempotentMutation(CreateAppDocument);
  const [name, setName] = useState('');
  const [error, setError] = useState<string | null>(null);
  return (
    <StepForm
      title="Name the app"
      lead="People see this name while they connect an account."
      submitLabel="Create app"
      save={async () => {
        const fault = findNameFault(name);
        setError(fault);
        if (fault !== null) return undefined;
        const { data, problem } = await create((idempotencyKey) => ({ input: { name, idempotencyKey } }));
        if (data) onCreated(data.createApp.id);
        const refused = readFieldProblem(problem, 'name', 'The name');
        setError(refused ?? null);
        return refused === undefined ? problem : undefined;
      }}
    >
      <TextInput
        label="Name"
        required
        description={describeLength(name, BOUNDS['CreateAppInput.name'])}
        error={error}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </StepForm>
  );
}

import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAdminMutation } from '../../admin-client/hooks.ts';
import { AddReturnUrlDocument } from '../../generated/operations.ts';
import { listUrlFaults, readFieldProblem, toBrowserUrl } from '../../texts/field-problems.ts';
import type { StepProps } from './step-form.tsx';
import { StepForm } from './step-form.tsx';

export function ReturnUrlStep({ app, onDone }: StepProps) {
  const add = useAdminMutation(AddReturnUrlDocument);
  const [url, setUrl] = useState('');
  const [errors, setErrors] = useState<readonly string[]>([]);
  return (
    <StepForm
      title="Add a return URL"
      lead="People return to this page of the app. The URL must match exactly, use HTTPS except on loopback, and have no fragment. People may also start a connect from its origin. You can add more later."
      submitLabel="Add return URL"
      onSkip={app.returnUrls.length > 0 ? onDone : undefined}
      save={async () => {
        const exact = toBrowserUrl(url);
        const faults = app.returnUrls.includes(exact)
          ? ['It is already there: skip this step, or add another one.']
          : listUrlFaults(exact);
        setErrors(faults);
        if (faults.length > 0) return undefined;
        const { problem } = await add({ appId: app.id, url: exact });
        if (!problem) onDone();
        const refused = readFieldProblem(problem, 'url', 'The return URL');
        setErrors(refused === undefined ? [] : [refused]);
        return refused === undefined ? problem : undefined;
      }}
    >
      <TextInput
        label="Return URL"
        required
        placeholder="https://app.example/connected"
        description={toBrowserUrl(url) === url.trim() ? undefined : `Stored as browsers send it: ${toBrowserUrl(url)}`}
        error={errors.length === 0 ? undefined : errors.join(' ')}
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
    </StepForm>
  );
}

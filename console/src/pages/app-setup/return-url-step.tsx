import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAdminMutation } from '../../admin-client/hooks.ts';
import { AddReturnUrlDocument } from '../../generated/operations.ts';
import type { StepProps } from './step-form.tsx';
import { StepForm } from './step-form.tsx';

export function ReturnUrlStep({ app, onDone }: StepProps) {
  const add = useAdminMutation(AddReturnUrlDocument);
  const [url, setUrl] = useState('');
  return (
    <StepForm
      title="Add a return URL"
      lead="People return to this page of the app. The URL must match exactly, use HTTPS except on loopback, and have no fragment. People may also start a connect from its origin. You can add more later."
      submitLabel="Add return URL"
      onSkip={app.returnUrls.length > 0 ? onDone : undefined}
      save={async () => {
        const { problem } = await add({ appId: app.id, url: url.trim() });
        if (!problem) onDone();
        return problem;
      }}
    >
      <TextInput
        label="Return URL"
        required
        placeholder="https://app.example/connected"
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
    </StepForm>
  );
}

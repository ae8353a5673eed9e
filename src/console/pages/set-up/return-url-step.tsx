import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../ask/hooks.ts';
import { AddReturnUrlDocument } from '../../generated/operations.ts';
import type { StepProps } from './step-form.tsx';
import { StepForm } from './step-form.tsx';

export function ReturnUrlStep({ app, onDone }: StepProps) {
  const add = useAct(AddReturnUrlDocument);
  const [url, setUrl] = useState('');
  return (
    <StepForm
      title="Where do people go back to?"
      lead="A page of the app, compared to the letter: HTTPS but for this machine, without a fragment. Its origin is also where people may start from; others can be added later."
      submit="Add the return URL"
      onSkip={app.returnUrls.length > 0 ? onDone : undefined}
      act={async () => {
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

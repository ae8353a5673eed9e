import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../ask/hooks.ts';
import { AddTenantDocument } from '../../generated/operations.ts';
import type { StepProps } from './step-form.tsx';
import { StepForm } from './step-form.tsx';

export function TenantStep({ app, onDone }: StepProps) {
  const add = useAct(AddTenantDocument);
  const [tenantKey, setTenantKey] = useState('');
  return (
    <StepForm
      title="Whose users are they?"
      lead="A tenant is one of the app's own customers, in its own words. An app without customers of its own has one tenant, such as “main”. More can be added later."
      submit="Add the tenant"
      onSkip={app.tenantCount > 0 ? onDone : undefined}
      act={async () => {
        const { problem } = await add({ appId: app.id, tenantKey });
        if (!problem) onDone();
        return problem;
      }}
    >
      <TextInput
        label="Tenant key"
        required
        maxLength={128}
        value={tenantKey}
        onChange={({ currentTarget }) => setTenantKey(currentTarget.value)}
      />
    </StepForm>
  );
}

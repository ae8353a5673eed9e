import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAdminMutation } from '../../admin-client/hooks.ts';
import { AddTenantDocument, BOUNDS } from '../../generated/operations.ts';
import { describeLength, readFieldProblem } from '../../texts/field-problems.ts';
import type { StepProps } from './step-form.tsx';
import { StepForm } from './step-form.tsx';

/** The most characters of a key. */

export function TenantStep({ app, onDone }: StepProps) {
  const add = useAdminMutation(AddTenantDocument);
  const [tenantKey, setTenantKey] = useState('');
  const [error, setError] = useState<string>();
  return (
    <StepForm
      title="Add a tenant"
      lead="A tenant is a customer of the app, identified by a key that the app chooses. An app without customers of its own needs one tenant, such as “main”. You can add more later."
      submitLabel="Add tenant"
      onSkip={app.tenantCount > 0 ? onDone : undefined}
      save={async () => {
        const { problem } = await add({ appId: app.id, tenantKey });
        if (!problem) onDone();
        const refused = readFieldProblem(problem, 'tenantKey', 'The key');
        setError(refused);
        return refused === undefined ? problem : undefined;
      }}
    >
      <TextInput
        label="Tenant key"
        required
        description={describeLength(tenantKey, BOUNDS['addTenant.tenantKey'])}
        error={error}
        value={tenantKey}
        onChange={({ currentTarget }) => setTenantKey(currentTarget.value)}
      />
    </StepForm>
  );
}

import { Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { formatProvider } from '../../../../src/basics/format-provider.ts';
import { useAdminMutation } from '../../admin-client/hooks.ts';
import { CapabilityCheckboxes } from '../../components/capability-checkboxes.tsx';
import { type Capability, SetPolicyDocument, type SocialProvider } from '../../generated/operations.ts';
import { PROVIDERS } from '../../texts/providers.ts';
import type { StepProps } from './step-form.tsx';
import { StepForm } from './step-form.tsx';

type Policies = Readonly<Record<SocialProvider, readonly Capability[]>>;

export function PolicyStep({ app, onDone }: StepProps) {
  const set = useAdminMutation(SetPolicyDocument);
  const [policies, setPolicies] = useState<Policies>(() => {
    const stored = (provider: SocialProvider) => app.policies.find((policy) => policy.provider === provider);
    return Object.fromEntries(PROVIDERS.map((one) => [one, stored(one)?.capabilities ?? []])) as unknown as Policies;
  });
  return (
    <StepForm
      title="Choose capabilities"
      lead="Choose only the capabilities that the app needs: people are asked to grant exactly these. The app cannot use a provider without capabilities."
      submitLabel="Save policy"
      save={async () => {
        const allowed = PROVIDERS.filter((provider) => policies[provider].length > 0);
        if (allowed.length === 0) return { code: 'BAD_USER_INPUT', message: 'Choose at least one capability.' };
        for (const provider of PROVIDERS) {
          const isKnown = app.policies.some((policy) => policy.provider === provider);
          if (!isKnown && !allowed.includes(provider)) continue;
          const { problem } = await set({ appId: app.id, provider, capabilities: [...policies[provider]] });
          if (problem) return problem;
        }
        onDone();
        return undefined;
      }}
    >
      {PROVIDERS.map((provider) => (
        <Paper key={provider} withBorder p="md">
          <Text fw={600} mb="xs">
            {formatProvider(provider)}
          </Text>
          <CapabilityCheckboxes
            provider={provider}
            selected={policies[provider]}
            onChange={(chosen) => setPolicies({ ...policies, [provider]: chosen })}
          />
        </Paper>
      ))}
    </StepForm>
  );
}

import { Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../ask/hooks.ts';
import { type Capability, SetPolicyDocument, type SocialProvider } from '../../generated/operations.ts';
import { CapabilityBoxes } from '../../parts/capability-boxes.tsx';
import { PROVIDERS } from '../../parts/filters.tsx';
import type { StepProps } from './step-form.tsx';
import { StepForm } from './step-form.tsx';

type Policies = Readonly<Record<SocialProvider, readonly Capability[]>>;

export function PolicyStep({ app, onDone }: StepProps) {
  const set = useAct(SetPolicyDocument);
  const [policies, setPolicies] = useState<Policies>(() => {
    const stored = (provider: SocialProvider) => app.policies.find((policy) => policy.provider === provider);
    return Object.fromEntries(PROVIDERS.map((one) => [one, stored(one)?.capabilities ?? []])) as unknown as Policies;
  });
  return (
    <StepForm
      title="What may it read?"
      lead="Only what the app needs: people are asked for exactly this. A provider without a tick is forbidden."
      submit="Set the policy"
      act={async () => {
        const allowed = PROVIDERS.filter((provider) => policies[provider].length > 0);
        if (allowed.length === 0)
          return { code: 'BAD_USER_INPUT', message: 'Tick something at one provider at least.' };
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
            {provider}
          </Text>
          <CapabilityBoxes
            provider={provider}
            chosen={policies[provider]}
            onChoose={(chosen) => setPolicies({ ...policies, [provider]: chosen })}
          />
        </Paper>
      ))}
    </StepForm>
  );
}

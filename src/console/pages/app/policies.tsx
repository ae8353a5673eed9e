import { Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../ask/hooks.ts';
import { SetPolicyDocument, type SocialProvider, type WholeAppFragment } from '../../generated/operations.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { CAPABILITIES, CapabilityBoxes } from '../../parts/capability-boxes.tsx';
import { PROVIDERS } from '../../parts/filters.tsx';
import { Section } from '../../parts/page.tsx';

/** What an app may ask for, provider by provider. */
export const Policies = ({ app }: { app: WholeAppFragment }) => (
  <Section
    title="Policies"
    lead="What it may ask for at each provider. Without any capability the provider is forbidden."
  >
    <Stack gap="sm">
      {PROVIDERS.map((provider) => {
        const allowed = app.policies.find((policy) => policy.provider === provider)?.capabilities ?? [];
        return <Policy key={`${provider} ${allowed.join()}`} appId={app.id} provider={provider} allowed={allowed} />;
      })}
    </Stack>
  </Section>
);

interface PolicyProps {
  readonly appId: string;
  readonly provider: SocialProvider;
  readonly allowed: WholeAppFragment['policies'][number]['capabilities'];
}

function Policy({ appId, provider, allowed }: PolicyProps) {
  const set = useAct(SetPolicyDocument);
  const [chosen, setChosen] = useState(allowed);
  const isChanged = CAPABILITIES.some((one) => chosen.includes(one) !== allowed.includes(one));
  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <Text fw={600} miw={110}>
          {provider}
        </Text>
        <CapabilityBoxes provider={provider} chosen={chosen} onChoose={setChosen} />
        {isChanged && (
          <ActButton
            operation="setPolicy"
            label="Save"
            about={provider}
            variant="filled"
            act={async () => (await set({ appId, provider, capabilities: [...chosen] })).problem}
            done="Saved. It holds from the very next request on."
          />
        )}
      </Group>
    </Paper>
  );
}

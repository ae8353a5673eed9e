import { Group, NumberInput, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../ask/hooks.ts';
import { SetPolicyDocument, type SocialProvider, type WholeAppFragment } from '../../generated/operations.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { CAPABILITIES, CapabilityBoxes } from '../../parts/capability-boxes.tsx';
import { PROVIDERS } from '../../parts/filters.tsx';
import { Section } from '../../parts/page.tsx';

/** Providers whose registrations have so many units a day. */
const PROVIDERS_WITH_QUOTA: readonly SocialProvider[] = ['PROVIDER_A'];

/** What an app may ask for, provider by provider. */
export const Policies = ({ app }: { app: WholeAppFragment }) => (
  <Section
    title="Policies"
    lead="What it may ask for at each provider. Without any capability the provider is forbidden. Without a share of its own, an app may use all of a registration's daily quota while it is the only one served, otherwise half."
  >
    <Stack gap="sm">
      {PROVIDERS.map((provider) => {
        const stored = app.policies.find((policy) => policy.provider === provider);
        const allowed = stored?.capabilities ?? [];
        const percent = stored?.quotaPercent ?? null;
        const key = `${provider} ${percent} ${allowed.join()}`;
        return <Policy key={key} appId={app.id} provider={provider} allowed={allowed} percent={percent} />;
      })}
    </Stack>
  </Section>
);

interface PolicyProps {
  readonly appId: string;
  readonly provider: SocialProvider;
  readonly allowed: WholeAppFragment['policies'][number]['capabilities'];
  /** The most of the daily quota; null for the default. */
  readonly percent: number | null;
}

function Policy({ appId, provider, allowed, percent }: PolicyProps) {
  const set = useAct(SetPolicyDocument);
  const [chosen, setChosen] = useState(allowed);
  const [share, setShare] = useState(percent);
  const isChanged = share !== percent || CAPABILITIES.some((one) => chosen.includes(one) !== allowed.includes(one));
  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <Text fw={600} miw={110}>
          {provider}
        </Text>
        <CapabilityBoxes provider={provider} chosen={chosen} onChoose={setChosen} />
        {PROVIDERS_WITH_QUOTA.includes(provider) && (
          <NumberInput
            label="Share of the daily quota"
            placeholder="default"
            suffix=" %"
            min={1}
            max={100}
            clampBehavior="none" // What is out of range is refused, not stored as the nearest number.
            allowDecimal={false}
            w={170}
            value={share ?? ''}
            onChange={(value) => setShare(typeof value === 'number' ? value : null)}
          />
        )}
        {isChanged && (
          <ActButton
            operation="setPolicy"
            label="Save"
            about={provider}
            variant="filled"
            act={async () => (await set({ appId, provider, capabilities: [...chosen], quotaPercent: share })).problem}
            done="Saved. It holds from the very next request on."
          />
        )}
      </Group>
    </Paper>
  );
}

import { Group, NumberInput, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CAPABILITIES } from '../../../../src/basics/codes.ts';
import { formatProvider } from '../../../../src/basics/format-provider.ts';
import { useAdminQuery } from '../../admin-client/hooks.ts';
import { MutationButton } from '../../components/action-button.tsx';
import { CapabilityCheckboxes } from '../../components/capability-checkboxes.tsx';
import { Section } from '../../components/page.tsx';
import {
  type AppDetailsFragment,
  ServiceDocument,
  SetPolicyDocument,
  type SocialProvider,
} from '../../generated/operations.ts';
import { PROVIDERS } from '../../texts/providers.ts';
import { AutomaticRefresh } from './automatic-refresh.tsx';

/** The capabilities that an app may request at each provider. */
export const Policies = ({ app }: { app: AppDetailsFragment }) => (
  <Section
    title="Policies"
    lead="The capabilities that this app may request at each provider. Without any, it cannot use the provider. By default, an app may use all of a registration's daily quota if the registration serves no other app, otherwise half."
  >
    <Stack gap="sm">
      {PROVIDERS.map((provider) => {
        const stored = app.policies.find((policy) => policy.provider === provider);
        const allowed = stored?.capabilities ?? [];
        const percent = stored?.quotaPercent ?? null;
        const key = `${provider} ${percent} ${allowed.join()}`;
        return (
          <Paper key={key} withBorder p="md">
            <Policy appId={app.id} provider={provider} allowed={allowed} percent={percent} />
            {stored && (
              <AutomaticRefresh
                key={`${stored.refreshMinutes} ${stored.refreshDays} ${stored.refreshPosts}`}
                appId={app.id}
                policy={stored}
              />
            )}
          </Paper>
        );
      })}
    </Stack>
  </Section>
);

interface PolicyProps {
  readonly appId: string;
  readonly provider: SocialProvider;
  readonly allowed: AppDetailsFragment['policies'][number]['capabilities'];
  /** The app's maximum share of the daily quota; null for the default. */
  readonly percent: number | null;
}

function Policy({ appId, provider, allowed, percent }: PolicyProps) {
  const { data: service } = useAdminQuery(ServiceDocument, {});
  const [chosen, setChosen] = useState(allowed);
  const [share, setShare] = useState(percent);
  const isChanged = share !== percent || CAPABILITIES.some((one) => chosen.includes(one) !== allowed.includes(one));
  return (
    <Group justify="space-between">
      <Text fw={600} miw={110}>
        {formatProvider(provider)}
      </Text>
      <CapabilityCheckboxes provider={provider} selected={chosen} onChange={setChosen} />
      {service?.service.providersWithDailyQuota.includes(provider) && (
        <NumberInput
          label="Share of daily quota"
          placeholder="default"
          suffix=" %"
          min={1}
          max={100}
          clampBehavior="none" // The api refuses a value out of range; the field does not change it.
          allowDecimal={false}
          w={170}
          value={share ?? ''}
          onChange={(value) => setShare(typeof value === 'number' ? value : null)}
        />
      )}
      {isChanged && (
        <MutationButton
          mutation={SetPolicyDocument}
          label="Save"
          target={formatProvider(provider)}
          variant="filled"
          variables={{ appId, provider, capabilities: [...chosen], quotaPercent: share }}
          successMessage="Saved. The policy applies at once."
        />
      )}
    </Group>
  );
}

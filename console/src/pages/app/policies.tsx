import { Group, NumberInput, Paper, Stack, Text } from '@mantine/core';
import { CAPABILITIES } from '../../../../src/basics/codes.ts';
import { formatProvider } from '../../../../src/basics/format-provider.ts';
import { useAdminMutation, useAdminQuery } from '../../admin-client/hooks.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { CAPABILITY_NAMES, CapabilityCheckboxes } from '../../components/capability-checkboxes.tsx';
import { Overtaken, useDraft } from '../../components/draft.tsx';
import { useFieldErrors } from '../../components/field-errors.ts';
import { Section } from '../../components/page.tsx';
import { PlatformName } from '../../components/platform.tsx';
import {
  type AppDetailsFragment,
  BOUNDS,
  type Capability,
  ServiceDocument,
  SetPolicyDocument,
  type SocialProvider,
} from '../../generated/operations.ts';
import { findRangeFault } from '../../texts/field-problems.ts';
import { formatList } from '../../texts/format.ts';
import { PROVIDERS } from '../../texts/providers.ts';
import { AutomaticRefresh, NAME_WIDTH } from './automatic-refresh.tsx';

/** The capabilities that an app may request at each provider. */
export const Policies = ({ app }: { app: AppDetailsFragment }) => (
  <Section
    title="Policies"
    lead="The capabilities that this app may request at each provider. Without any, it cannot use the provider. By default, an app may use all of a registration's daily quota if the registration serves no other app, otherwise half."
  >
    <Stack gap="sm">
      {PROVIDERS.map((provider) => {
        const stored = app.policies.find((policy) => policy.provider === provider);
        return (
          <Paper key={provider} withBorder p="md">
            <Policy
              appId={app.id}
              provider={provider}
              allowed={stored?.capabilities ?? []}
              percent={stored?.quotaPercent ?? null}
            />
            {stored && <AutomaticRefresh appId={app.id} policy={stored} />}
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
  const save = useAdminMutation(SetPolicyDocument);
  const draft = useDraft({ capabilities: allowed, quotaPercent: percent });
  const { errorOf, clear, submit } = useFieldErrors(FIELDS);
  const { capabilities, quotaPercent } = draft.values;
  return (
    <Group>
      <Text fw={600} w={NAME_WIDTH} component="div">
        <PlatformName of={provider} />
      </Text>
      <CapabilityCheckboxes
        provider={provider}
        selected={capabilities}
        onChange={(chosen) =>
          draft.set(
            'capabilities',
            CAPABILITIES.filter((one) => chosen.includes(one)),
          )
        }
      />
      {service?.service.providersWithDailyQuota.includes(provider) && (
        <NumberInput
          label="Share of daily quota"
          placeholder="default"
          suffix=" %"
          {...BOUNDS['setPolicy.quotaPercent']}
          clampBehavior="none" // The field reports a value out of range and does not change it.
          allowDecimal={false}
          w={170}
          ml={{ lg: 'auto' }}
          error={errorOf('quotaPercent')}
          value={quotaPercent ?? ''}
          onChange={(value) => {
            clear('quotaPercent');
            draft.set('quotaPercent', typeof value === 'number' ? value : null);
          }}
        />
      )}
      {draft.isChanged && (
        <ActionButton
          operation="setPolicy"
          label="Save"
          target={formatProvider(provider)}
          variant="filled"
          run={() =>
            submit(
              {
                quotaPercent:
                  quotaPercent === null ? null : findRangeFault(quotaPercent, BOUNDS['setPolicy.quotaPercent']),
              },
              async () => (await save({ appId, provider, capabilities, quotaPercent })).problem,
            )
          }
          successMessage="Saved. The policy applies at once."
        />
      )}
      <Overtaken
        draft={draft}
        describe={{
          capabilities: ['Allowed capabilities', listCapabilities],
          quotaPercent: ['The share', (share) => (share === null ? 'the default' : `${share} %`)],
        }}
      />
    </Group>
  );
}

const FIELDS = { capabilities: 'The list', quotaPercent: 'The share' };

const listCapabilities = (of: readonly Capability[]): string =>
  of.length === 0 ? 'nothing' : formatList(of.map((one) => CAPABILITY_NAMES[one]));

import { Group, NumberInput, Text } from '@mantine/core';
import { formatProvider } from '../../../../src/basics/format-provider.ts';
import { useAdminMutation } from '../../admin-client/hooks.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Overtaken, useDraft } from '../../components/draft.tsx';
import { useFieldErrors } from '../../components/field-errors.ts';
import { type AppDetailsFragment, BOUNDS, SetRefreshPolicyDocument } from '../../generated/operations.ts';
import { findRangeFault } from '../../texts/field-problems.ts';

type Policy = AppDetailsFragment['policies'][number];

const FIELDS = {
  refreshMinutes: 'The interval',
  refreshDays: 'The number of days',
  refreshPosts: 'The number of posts',
};

/** The first column of a policy, so that the fields of all platforms are below each other. */
export const NAME_WIDTH = 150;

/** How often the service refreshes an app's connections at a provider automatically. */
export function AutomaticRefresh({ appId, policy }: { appId: string; policy: Policy }) {
  const { provider, refreshMinutes, refreshDays, refreshPosts } = policy;
  const save = useAdminMutation(SetRefreshPolicyDocument);
  const draft = useDraft<Pick<Policy, 'refreshMinutes'> & { refreshDays: number | null; refreshPosts: number | null }>({
    refreshMinutes,
    refreshDays,
    refreshPosts,
  });
  const { errorOf, clear, submit } = useFieldErrors(FIELDS);
  const { values } = draft;
  const field = (name: keyof typeof FIELDS) =>
    ({
      clampBehavior: 'none', // The field reports a value out of range and does not change it.
      allowDecimal: false,
      w: 150,
      error: errorOf(name),
      value: values[name] ?? '',
      onChange: (value: string | number) => {
        clear(name);
        draft.set(name, typeof value === 'number' ? value : null);
      },
    }) as const;
  return (
    <Group mt="sm" align="flex-end">
      <Text w={NAME_WIDTH} size="sm" pb={8}>
        Automatic refresh
      </Text>
      <NumberInput
        {...field('refreshMinutes')}
        label="Every"
        placeholder="off"
        suffix=" minutes"
        {...BOUNDS['setRefreshPolicy.refreshMinutes']}
      />
      <NumberInput
        {...field('refreshDays')}
        label="Posts of the last"
        suffix=" days"
        {...BOUNDS['setRefreshPolicy.refreshDays']}
      />
      <NumberInput
        {...field('refreshPosts')}
        label="At most"
        suffix=" posts"
        {...BOUNDS['setRefreshPolicy.refreshPosts']}
      />
      {draft.isChanged && (
        <ActionButton
          operation="setRefreshPolicy"
          label="Save automatic refresh"
          target={formatProvider(provider)}
          variant="filled"
          run={() =>
            submit(
              {
                refreshMinutes:
                  values.refreshMinutes === null
                    ? null
                    : findRangeFault(values.refreshMinutes, BOUNDS['setRefreshPolicy.refreshMinutes']),
                refreshDays: findRangeFault(values.refreshDays, BOUNDS['setRefreshPolicy.refreshDays']),
                refreshPosts: findRangeFault(values.refreshPosts, BOUNDS['setRefreshPolicy.refreshPosts']),
              },
              async () => (await save({ appId, provider, ...values })).problem,
            )
          }
          successMessage="Saved. Connections are planned anew within a minute."
        />
      )}
      <Overtaken
        draft={draft}
        describe={{
          refreshMinutes: ['The interval', (minutes) => (minutes === null ? 'off' : `${minutes} minutes`)],
          refreshDays: ['The number of days', String],
          refreshPosts: ['The number of posts', String],
        }}
      />
    </Group>
  );
}

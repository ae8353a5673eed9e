import { Group, NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import { formatProvider } from '../../../../src/basics/format-provider.ts';
import { MutationButton } from '../../components/action-button.tsx';
import { type AppDetailsFragment, SetRefreshPolicyDocument } from '../../generated/operations.ts';

type Policy = AppDetailsFragment['policies'][number];

/** How often the service refreshes an app's connections at a provider by itself. */
export function AutomaticRefresh({ appId, policy }: { appId: string; policy: Policy }) {
  const [minutes, setMinutes] = useState(policy.refreshMinutes);
  const [days, setDays] = useState<number>(policy.refreshDays);
  const [posts, setPosts] = useState<number>(policy.refreshPosts);
  const isChanged = minutes !== policy.refreshMinutes || days !== policy.refreshDays || posts !== policy.refreshPosts;
  const field = { clampBehavior: 'none', allowDecimal: false, w: 150 } as const;
  return (
    <Group mt="sm" align="flex-end">
      <Text miw={110} size="sm">
        Automatic refresh
      </Text>
      <NumberInput
        {...field}
        label="Every"
        placeholder="off"
        suffix=" minutes"
        min={15}
        value={minutes ?? ''}
        onChange={(value) => setMinutes(typeof value === 'number' ? value : null)}
      />
      <NumberInput
        {...field}
        label="Posts of the last"
        suffix=" days"
        min={1}
        max={90}
        value={days}
        onChange={(value) => setDays(Number(value))}
      />
      <NumberInput
        {...field}
        label="At most"
        suffix=" posts"
        min={1}
        max={100}
        value={posts}
        onChange={(value) => setPosts(Number(value))}
      />
      {isChanged && (
        <MutationButton
          mutation={SetRefreshPolicyDocument}
          variables={{
            appId,
            provider: policy.provider,
            refreshMinutes: minutes,
            refreshDays: days,
            refreshPosts: posts,
          }}
          label="Save automatic refresh"
          target={formatProvider(policy.provider)}
          variant="filled"
          successMessage="Saved. Connections are planned anew within a minute."
        />
      )}
    </Group>
  );
}

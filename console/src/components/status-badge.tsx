import { Badge, Group, Text, Tooltip } from '@mantine/core';
import { getState, type State } from '../texts/states.ts';

/** A state, with its meaning as a tooltip. */
export const StateBadge = ({ state: { label, color, meaning } }: { state: State }) => (
  <Tooltip label={meaning} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
    <Badge variant="light" color={color} tt="none">
      {label}
    </Badge>
  </Tooltip>
);

/** A state and its meaning beside it, where there is room for both. */
export const ExplainedState = ({ state }: { state: State }) => (
  <Group gap="xs">
    <StateBadge state={state} />
    <Text size="sm" c="dimmed">
      {state.meaning}
    </Text>
  </Group>
);

/** The state of a code that belongs to no vocabulary of its own. */
export const StatusBadge = ({ of }: { of: string }) => <StateBadge state={getState(of)} />;

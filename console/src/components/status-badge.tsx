import { Badge, Box, type MantineColor, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { getState, type State } from '../texts/states.ts';

/** A state whose label may contain a time that runs. */
export interface LiveState extends Omit<State, 'label'> {
  readonly label: ReactNode;
}

/** A state, with its meaning as a tooltip. */
export const StateBadge = ({ state: { label, color, meaning } }: { state: State }) => (
  <Tooltip label={meaning} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
    <Badge variant="light" color={color} tt="none">
      {label}
    </Badge>
  </Tooltip>
);

/** A state in a table: a dot of its color and its name, with its meaning as a tooltip. */
export const StateDot = ({ state: { label, color, meaning } }: { state: LiveState }) => (
  <Tooltip label={meaning} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
    <span className="line" style={{ columnGap: 8 }}>
      <Dot color={color} />
      <Text span inherit truncate>
        {label}
      </Text>
    </span>
  </Tooltip>
);

/** 8 pixels of a color. The word beside it has the meaning. */
export const Dot = ({ color }: { color: MantineColor }) => (
  <Box component="span" aria-hidden w={8} h={8} flex="none" bdrs="50%" bg={DOT_COLORS[color] ?? color} />
);

/** Bright enough on light and on dark: 3 to 1 (WCAG 2.2, 1.4.11). */
export const DOT_COLORS: Readonly<Record<string, string>> = {
  teal: 'light-dark(var(--mantine-color-teal-8), var(--mantine-color-teal-6))',
  orange: 'light-dark(var(--mantine-color-orange-8), var(--mantine-color-orange-5))',
  red: 'light-dark(var(--mantine-color-red-8), var(--mantine-color-red-6))',
  blue: 'light-dark(var(--mantine-color-blue-7), var(--mantine-color-blue-5))',
  gray: 'light-dark(var(--mantine-color-gray-6), var(--mantine-color-gray-6))',
};

/** The state of a code that belongs to no vocabulary of its own. */
export const StatusDot = ({ of }: { of: string }) => <StateDot state={getState(of)} />;

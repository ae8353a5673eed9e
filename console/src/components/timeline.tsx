import { Box, Group, type MantineColor, Text, Timeline } from '@mantine/core';
import type { ReactNode } from 'react';
import { DOT_COLORS } from './status-badge.tsx';
import { Time, TimeUntil, useNow } from './time.tsx';

export interface TimelineEvent {
  /** Without it, the event is left out. */
  readonly at: string | null | undefined;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  readonly color?: MantineColor;
}

/** The past events of one thing, the oldest first, and the next ones below a dashed line. */
export function EventTimeline({ of, name }: { of: readonly (TimelineEvent | false)[]; name: string }) {
  const nowMs = useNow();
  const events = of
    .filter((event) => event !== false)
    .flatMap((event) => (event.at ? [{ ...event, at: event.at }] : []))
    .map((event, index) => ({ ...event, index, ms: Date.parse(event.at) }))
    .sort((one, other) => one.ms - other.ms || one.index - other.index);
  const isAhead = (ms: number | undefined) => ms !== undefined && ms > nowMs;
  return (
    <Timeline bulletSize={12} lineWidth={2} role="list" aria-label={name}>
      {events.map(({ index, at, ms, title, text, color = 'gray' }, place) => (
        <Timeline.Item
          key={index}
          role="listitem"
          lineVariant={isAhead(events[place + 1]?.ms) ? 'dashed' : 'solid'}
          bullet={<Bullet color={color} isHollow={isAhead(ms)} />}
          styles={{ itemBullet: { border: 0 }, itemTitle: { marginBottom: 0 } }}
          title={
            <Group justify="space-between" align="baseline" gap="sm" wrap="nowrap" fz="sm" fw={550}>
              <div>{title}</div>
              <Text span size="xs" c="dimmed" flex="none" fw={400}>
                {isAhead(ms) ? (
                  <>
                    in <TimeUntil at={at} />
                  </>
                ) : (
                  <Time at={at} />
                )}
              </Text>
            </Group>
          }
        >
          {text && (
            <Text size="sm" c="dimmed" component="div">
              {text}
            </Text>
          )}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

const Bullet = ({ color, isHollow }: { color: MantineColor; isHollow: boolean }) => (
  <Box
    w={12}
    h={12}
    bdrs="50%"
    bd={`3px solid ${DOT_COLORS[color] ?? color}`}
    bg={isHollow ? 'var(--mantine-color-body)' : (DOT_COLORS[color] ?? color)}
  />
);

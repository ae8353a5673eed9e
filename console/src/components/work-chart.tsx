import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { WorkPeriod } from '../generated/operations.ts';
import { formatSlot, formatTick, listTicks, type SERIES, type Slot } from '../texts/ended-work.ts';
import classes from './work-chart.module.css';

interface WorkChartProps {
  readonly slots: readonly Slot[];
  readonly period: WorkPeriod;
  readonly words: (typeof SERIES)[number];
  /** The list of a column's rows; undefined if there is none. */
  readonly urlOf: (slot: Slot) => string | undefined;
}

/**
 * Columns for the hours or days of a series, each a link to its rows. It is for the eye and the mouse: a table beside it has the
 * same numbers and links.
 */
export function WorkChart({ slots, period, words, urlOf }: WorkChartProps) {
  const ticks = listTicks(slots);
  const top = ticks[0] ?? 0;
  const marks = [slots[0], slots[Math.floor(slots.length / 2)], slots.at(-1)];
  return (
    <div aria-hidden className={classes.plot}>
      <Text size="xs" c="dimmed" component="div" className={classes.ticks}>
        {ticks.map((tick) => (
          <span key={tick}>{formatTick(tick)}</span>
        ))}
      </Text>
      <div className={classes.chart} data-lines={ticks.length - 1}>
        {slots.map((slot) => (
          <Column key={slot.at} href={urlOf(slot)} title={describeSlot(slot, period, words)}>
            <Part className={classes.failed} count={slot.failed} top={top} />
            <Part className={classes.left} count={slot.left} top={top} />
            <Part className={classes.succeeded} count={slot.succeeded} top={top} />
          </Column>
        ))}
      </div>
      <Text size="xs" c="dimmed" component="div" className={classes.axis}>
        {marks.map((slot) => slot && <span key={slot.at}>{formatSlot(slot.at, period)}</span>)}
      </Text>
    </div>
  );
}

/** A column with a link if it has rows. */
function Column({ href, title, children }: { href: string | undefined; title: string; children: ReactNode }) {
  if (href === undefined) {
    return (
      <span className={classes.column} title={title}>
        {children}
      </span>
    );
  }
  return (
    <Link href={href} tabIndex={-1} className={classes.column} title={title}>
      {children}
    </Link>
  );
}

const Part = ({ className, count, top }: { className: string | undefined; count: number; top: number }) =>
  count > 0 && <span className={className} style={{ flexBasis: `${(100 * count) / top}%` }} />;

const LEFT = 'left to the person';

/** `14:00: 12 connected, 3 not connected` */
const describeSlot = (
  { at, succeeded, failed, left }: Slot,
  period: WorkPeriod,
  words: WorkChartProps['words'],
): string =>
  `${formatSlot(at, period)}: ${succeeded.toLocaleString('en')} ${words.succeeded}, ${failed.toLocaleString('en')} ${words.failed}${left > 0 ? `, ${left.toLocaleString('en')} ${LEFT}` : ''}`;

/** The sums of a series, with the colors of its columns. */
export function WorkSums({ slots, words }: Pick<WorkChartProps, 'slots' | 'words'>) {
  const sum = (of: 'succeeded' | 'failed' | 'left') => slots.reduce((total, slot) => total + slot[of], 0);
  return (
    <Group gap="md">
      {(['succeeded', 'failed'] as const).map((end) => (
        <Text key={end} size="sm">
          <span className={`${classes.swatch} ${classes[end]}`} aria-hidden />
          {sum(end).toLocaleString('en')} {words[end]}
        </Text>
      ))}
      {sum('left') > 0 && (
        <Text size="sm">
          <span className={`${classes.swatch} ${classes.left}`} aria-hidden />
          {sum('left').toLocaleString('en')} {LEFT}
        </Text>
      )}
    </Group>
  );
}

import { Group, Text, Tooltip } from '@mantine/core';
import type { ComponentProps, ComponentPropsWithRef, CSSProperties, Ref } from 'react';
import { Link } from 'wouter';
import type { WorkPeriod } from '../generated/operations.ts';
import { formatSlot, formatTick, listTicks, type SERIES, type Slot, sumSlot } from '../texts/ended-work.ts';
import { useZone } from '../time-zone.ts';
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
  useZone();
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
      <div
        className={classes.chart}
        data-empty={top === 0 || undefined}
        style={{ '--lines': Math.max(1, ticks.length - 1) } as CSSProperties}
      >
        {slots.map((slot) => (
          <Tooltip key={slot.at} label={<SlotNumbers slot={slot} period={period} words={words} />}>
            <Column href={urlOf(slot)}>
              <Part className={classes.failed} count={slot.failed} top={top} />
              <Part className={classes.left} count={slot.left} top={top} />
              <Part className={classes.succeeded} count={slot.succeeded} top={top} />
            </Column>
          </Tooltip>
        ))}
      </div>
      <Text size="xs" c="dimmed" component="div" className={classes.axis}>
        {marks.map((slot) => slot && <span key={slot.at}>{formatSlot(slot.at, period)}</span>)}
      </Text>
    </div>
  );
}

interface ColumnProps extends Omit<ComponentPropsWithRef<'a'>, 'href'> {
  readonly href: string | undefined;
}

/** A column with a link if it has rows. */
const Column = ({ href, ref, ...rest }: ColumnProps) =>
  href === undefined ? (
    <span {...(rest as ComponentProps<'span'>)} className={classes.column} ref={ref as Ref<HTMLSpanElement>} />
  ) : (
    <Link {...rest} href={href} tabIndex={-1} className={classes.column} ref={ref as Ref<HTMLAnchorElement>} />
  );

const Part = ({ className, count, top }: { className: string | undefined; count: number; top: number }) =>
  count > 0 && <span className={className} style={{ flexBasis: `${(100 * count) / top}%` }} />;

const PARTS = ['succeeded', 'failed', 'left'] as const;

/** The hour or day, each number, and the share of failures. */
function SlotNumbers({ slot, period, words }: { slot: Slot } & Pick<WorkChartProps, 'period' | 'words'>) {
  const sum = sumSlot(slot);
  return (
    <>
      {formatSlot(slot.at, period)}
      {PARTS.filter((part) => slot[part] > 0).map((part) => (
        <div key={part}>
          {slot[part].toLocaleString('en')} {words[part]}
          {part === 'failed' && ` (${Math.round((100 * slot.failed) / sum)} %)`}
        </div>
      ))}
      {sum === 0 && <div>nothing ended</div>}
    </>
  );
}

/** The sums of a series, with the colors of its columns. */
export function WorkSums({ slots, words }: Pick<WorkChartProps, 'slots' | 'words'>) {
  const sum = (of: (typeof PARTS)[number]) => slots.reduce((total, slot) => total + slot[of], 0);
  return (
    <Group gap="md">
      {PARTS.filter((part) => part !== 'left' || sum(part) > 0).map((part) => (
        <Text key={part} size="sm">
          <span className={`${classes.swatch} ${classes[part]}`} aria-hidden />
          {sum(part).toLocaleString('en')} {words[part]}
        </Text>
      ))}
    </Group>
  );
}

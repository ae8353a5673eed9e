import { Stack, TextInput, UnstyledButton } from '@mantine/core';
import { describeRange, fromLocalField, getZoneName, RANGES, toInstant, toLocalField } from '../../texts/time.ts';
import classes from './filter-pills.module.css';
import { PanelPill } from './filter-pills.tsx';
import type { Filter } from './filters.tsx';

/** The two ends of a time, with one pill: an instant to the minute each, in the browser's time zone. */
export function timeRange(label: string, from = 'since', to = 'before') {
  const end = (name: string): Filter<string | null> => ({
    name,
    read: toInstant,
    findUnknown: (text) => (text === '' || toInstant(text) !== null ? [] : [text]),
  });
  const since: Filter<string | null> = {
    ...end(from),
    control: ({ get, set }) => {
      const [start, stop] = [toInstant(get(from)), toInstant(get(to))];
      return (
        <PanelPill
          label={label}
          words={describeRange(start, stop, Date.now())}
          onClear={() => set({ [from]: null, [to]: null })}
        >
          {(close) => (
            <Stack gap="xs">
              {RANGES.map(({ name, ms }) => (
                <UnstyledButton
                  key={name}
                  className={classes.option}
                  onClick={() => {
                    set({ [from]: new Date(Date.now() - ms).toISOString(), [to]: null });
                    close();
                  }}
                >
                  {name}
                </UnstyledButton>
              ))}
              <TimeField label={`From (${getZoneName()})`} at={start} onChange={(text) => set({ [from]: text })} />
              <TimeField label={`Before (${getZoneName()})`} at={stop} onChange={(text) => set({ [to]: text })} />
            </Stack>
          )}
        </PanelPill>
      );
    },
  };
  return [since, end(to)] as const;
}

interface TimeFieldProps {
  readonly label: string;
  readonly at: string | null;
  readonly onChange: (instant: string | null) => void;
}

/** The browser's own field, which a keyboard and a phone know. Its order of day and month is the browser's; the pill repeats the time in words. */
const TimeField = ({ label, at, onChange }: TimeFieldProps) => (
  <TextInput
    type="datetime-local"
    label={label}
    value={toLocalField(at)}
    onChange={({ currentTarget }) => onChange(fromLocalField(currentTarget.value))}
  />
);

import { TextInput } from '@mantine/core';
import { describeStartOfDay, toStartOfDay } from '../texts/time.ts';

interface DateInputProps {
  readonly label: string;
  readonly description?: string;
  /** `2026-12-31`, or empty. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A date field with the browser's own picker, whose order of day and month is the browser's: so the field repeats the day in words. */
export const DateInput = ({ onChange, description, ...rest }: DateInputProps) => (
  <TextInput
    type="date"
    {...rest}
    description={toStartOfDay(rest.value) === null ? description : describeStartOfDay(rest.value)}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

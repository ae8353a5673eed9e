import { TextInput } from '@mantine/core';

interface DateInputProps {
  readonly label: string;
  readonly description?: string;
  /** `2026-12-31`, or empty. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A date field with the browser's own picker. */
export const DateInput = ({ onChange, ...rest }: DateInputProps) => (
  <TextInput type="date" {...rest} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
);

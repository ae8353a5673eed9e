import { TextInput } from '@mantine/core';

interface KeyLabelInputProps {
  readonly value: string;
  readonly onChange: (label: string) => void;
}

/** The label of an app's key. */
export const KeyLabelInput = ({ value, onChange }: KeyLabelInputProps) => (
  <TextInput
    label="Label"
    description="Optional, such as the system that holds it."
    maxLength={100}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

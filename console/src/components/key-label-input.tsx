import { TextInput } from '@mantine/core';
import { BOUNDS } from '../generated/operations.ts';

interface KeyLabelInputProps {
  readonly value: string;
  readonly onChange: (label: string) => void;
}

/** The label of an app's key. */
export const KeyLabelInput = ({ value, onChange }: KeyLabelInputProps) => (
  <TextInput
    label="Label"
    description="Optional, such as the system that holds it."
    maxLength={BOUNDS['IssueKeyInput.label'].max}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

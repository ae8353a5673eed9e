import { Alert, Button, Group, List } from '@mantine/core';
import { useState } from 'react';
import { useLeaveGuard } from '../leave-guard.tsx';

interface Edit<Value> {
  readonly value: Value;
  /** The stored values when the operator began to edit. */
  readonly from: Value;
}
type Edits<Values> = { readonly [Field in keyof Values]?: Edit<Values[Field]> };

export interface Draft<Values> {
  /** The shown values. */
  readonly values: Values;
  readonly set: <Field extends keyof Values>(field: Field, value: Values[Field]) => void;
  readonly isChanged: boolean;
  /** The edited fields whose stored value another operator has changed meanwhile. */
  readonly overtaken: readonly (keyof Values)[];
  readonly stored: Values;
  /** Resets the form to the stored values. */
  readonly discard: () => void;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * The values of a form over stored settings. An unedited field follows the stored value, so that saving one field
 * does not undo a change of another field by another tab or operator.
 */
export function useDraft<Values extends object>(stored: Values): Draft<Values> {
  const [edits, setEdits] = useState<Edits<Values>>({});
  const isOpen = <Field extends keyof Values>(field: Field, edit: Edit<Values[Field]> | undefined) =>
    edit !== undefined && !isSame(edit.value, stored[field]);
  const changed = (Object.keys(edits) as (keyof Values)[]).filter((field) => isOpen(field, edits[field]));
  useLeaveGuard(changed.length > 0 ? null : undefined);
  return {
    values: { ...stored, ...Object.fromEntries(changed.map((field) => [field, edits[field]?.value])) },
    set: (field, value) =>
      setEdits((before) => {
        const edit = before[field];
        const from = edit !== undefined && isOpen(field, edit) ? edit.from : stored[field];
        return { ...before, [field]: { value, from } };
      }),
    isChanged: changed.length > 0,
    overtaken: changed.filter((field) => !isSame(edits[field]?.from, stored[field])),
    stored,
    discard: () => setEdits({}),
  };
}

interface OvertakenProps<Values> {
  readonly draft: Draft<Values>;
  /** The names of the fields and their stored values, in words. */
  readonly describe: {
    readonly [Field in keyof Values]: readonly [label: string, format: (value: Values[Field]) => string];
  };
}

/** Warns that another operator has saved other values since the editing began. */
export function Overtaken<Values>({ draft: { overtaken, stored, discard }, describe }: OvertakenProps<Values>) {
  if (overtaken.length === 0) return null;
  return (
    <Alert color="orange" role="status" title="Another operator has changed this" w="100%">
      <List size="sm">
        {overtaken.map((field) => {
          const [label, format] = describe[field];
          return (
            <List.Item key={String(field)}>
              {label} is now {format(stored[field])}.
            </List.Item>
          );
        })}
      </List>
      <Group mt="xs">
        <Button size="xs" variant="default" onClick={discard}>
          Use the stored values
        </Button>
      </Group>
    </Alert>
  );
}

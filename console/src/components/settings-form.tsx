import { NumberInput, TextInput } from '@mantine/core';
import { describeLength, findRangeFault } from '../texts/field-problems.ts';
import type { Problem } from '../texts/problem.ts';
import type { Operation } from '../texts/roles.ts';
import { ActionButton } from './action-button.tsx';
import { Overtaken, useDraft } from './draft.tsx';
import { useFieldErrors } from './field-errors.ts';
import { InlineForm } from './inline-form.tsx';

/** A setting in a form. Its name is that of the mutation's argument. */
export interface SettingsField {
  readonly label: string;
  /** In a sentence, such as `The limit`. */
  readonly named: string;
  /** The bounds of `BOUNDS`: a number has both, a text only `max`. */
  readonly bounds: { readonly min?: number; readonly max: number };
  /** What no value means, for a setting that may have none. */
  readonly empty?: string;
  /** What is wrong with a text. */
  readonly findFault?: (text: string) => string | null;
}

type Value = string | number | null;

interface SettingsFormProps<Stored, Name extends keyof Stored & string> {
  readonly fields: Readonly<Record<Name, SettingsField>>;
  readonly stored: Stored;
  readonly operation: Operation;
  readonly save: (values: Pick<Stored, Name>) => Promise<Problem | undefined>;
}

function findFault({ bounds, empty, findFault: ofText }: SettingsField, value: Value): string | null {
  if (value === null && empty !== undefined) return null;
  if (bounds.min === undefined) return ofText?.(String(value ?? '')) ?? null;
  return findRangeFault(typeof value === 'number' ? value : null, { ...bounds, min: bounds.min });
}

/** A form over stored settings, from a list of its fields. */
export function SettingsForm<Stored, Name extends keyof Stored & string>({
  fields,
  stored,
  operation,
  save,
}: SettingsFormProps<Stored, Name>) {
  const names = Object.keys(fields) as Name[];
  const ofEach = <Result,>(read: (name: Name) => Result) =>
    Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, Result>;
  const draft = useDraft<Record<Name, Value>>(ofEach((name) => stored[name] as Value));
  const { errorOf, clear, submit } = useFieldErrors(ofEach((name) => fields[name].named));
  const { values } = draft;
  const set = (name: Name, value: Value) => {
    clear(name);
    draft.set(name, value);
  };
  return (
    <>
      <InlineForm>
        {names.map((name) => {
          const { label, bounds, empty } = fields[name];
          const shared = { label, error: errorOf(name), ...(empty !== undefined && { placeholder: empty }) };
          return bounds.min === undefined ? (
            <TextInput
              {...shared}
              key={name}
              description={describeLength(String(values[name] ?? ''), bounds)}
              value={values[name] ?? ''}
              onChange={({ currentTarget: { value } }) => set(name, value === '' && empty !== undefined ? null : value)}
            />
          ) : (
            <NumberInput
              {...shared}
              {...bounds}
              key={name}
              clampBehavior="none" // The field reports a value out of range and does not change it.
              allowDecimal={false}
              value={values[name] ?? ''}
              onChange={(value) => set(name, typeof value === 'number' ? value : null)}
            />
          );
        })}
        <ActionButton
          type="submit"
          operation={operation}
          label="Save"
          run={() =>
            submit(
              ofEach((name) => findFault(fields[name], values[name])),
              () => save(values as Pick<Stored, Name>), // Each field has the kind of its stored value.
            )
          }
          successMessage="Saved."
        />
      </InlineForm>
      <Overtaken
        draft={draft}
        describe={ofEach((name) => {
          const { named, bounds, empty = '' } = fields[name];
          const format = (value: Value) =>
            value === null ? empty : bounds.min === undefined ? `“${value}”` : String(value);
          return [named, format] as const;
        })}
      />
    </>
  );
}

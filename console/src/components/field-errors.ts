import { useState } from 'react';
import { readFieldProblems } from '../texts/field-problems.ts';
import { AT_FIELD, type Problem } from '../texts/problem.ts';

type Faults<Field extends string> = Partial<Record<Field, string | null>>;

export interface FieldErrors<Field extends string> {
  /** The `error` of a field; undefined if nothing is wrong with it. */
  readonly errorOf: (field: Field) => string | undefined;
  /** Takes the error of a field away, for the time while the operator corrects it. */
  readonly clear: (field: Field) => void;
  /**
   * Sends a form that has no fault. All faults appear at once, each at its field, and so does a refusal of the api.
   * @returns the problem; `AT_FIELD` if a field shows it.
   */
  readonly submit: (faults: Faults<Field>, send: () => Promise<Problem | undefined>) => Promise<Problem | undefined>;
}

/** The problems with the fields of a form. @param labels of the fields, by the names of the mutation's arguments. */
export function useFieldErrors<Field extends string>(labels: Readonly<Record<Field, string>>): FieldErrors<Field> {
  const [errors, setErrors] = useState<Faults<Field>>({});
  const show = (faults: Faults<Field>): boolean => {
    setErrors(faults);
    return Object.values(faults).some((fault) => typeof fault === 'string');
  };
  return {
    errorOf: (field) => errors[field] ?? undefined,
    clear: (field) => setErrors((before) => ({ ...before, [field]: null })),
    submit: async (faults, send) => {
      if (show(faults)) return AT_FIELD;
      const problem = await send();
      return show(readFieldProblems(problem, labels) as Faults<Field>) ? AT_FIELD : problem;
    },
  };
}

import { buildSchema, isEnumType } from 'graphql';
import { expect, test } from 'vitest';
import { adminSchema } from '../../src/api/graphql/schema-texts.ts';
import { PROGRESS_STEPS, PROGRESS_WAITS } from '../../src/workflows/contract.ts';

test.for([
  ['WorkflowStep', PROGRESS_STEPS],
  ['WorkflowWait', PROGRESS_WAITS],
] as const)('the admin API has every %s of a workflow', ([name, words]) => {
  const type = buildSchema(adminSchema).getType(name);
  const values = isEnumType(type) ? type.getValues().map((value) => value.name) : [];
  expect(values).toEqual(expect.arrayContaining([...words]));
});

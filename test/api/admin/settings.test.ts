import { expect } from 'vitest';
import { z } from 'zod';
import { BOUNDS } from '../../../console/src/generated/operations.ts';
import { OPERATIONS, SETTERS, SETTING_FIELDS } from '../../../src/generated/admin-operations.ts';
import { SETTINGS } from '../../../src/generated/settings.ts';
import { type Answer, useAdmin, useApp } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';
import type { SeededApp } from '../../kit/seed.ts';

const { operator } = useAdmin();
const [own, other] = [useApp(), useApp()];

type Setter = keyof typeof SETTERS;
const TYPES = {
  App: { query: 'app', idOf: ({ app }: SeededApp): string => app.appId },
  Registration: { query: 'registration', idOf: ({ registrations }: SeededApp): string => registrations.PROVIDER_B },
};
/** Each mutation with @sets, with each of its settings. */
const CASES = (Object.keys(SETTERS) as Setter[]).flatMap((setter) =>
  Object.keys(OPERATIONS[setter].args).flatMap((setting) => (setting === 'id' ? [] : [[setter, setting] as const])),
);

const typeOf = (setter: Setter, setting: string): string =>
  (OPERATIONS[setter].args as Readonly<Record<string, string>>)[setting] ?? '';

/** A value that the argument allows. */
function makeValue(setter: Setter, setting: string, before: unknown): unknown {
  const type = typeOf(setter, setting).replace('!', '');
  if (type === 'Int') return (BOUNDS as Readonly<Record<string, { max: number }>>)[`${setter}.${setting}`]?.max ?? 7;
  if (type === 'Boolean') return before !== true;
  return type === 'DateTime' ? '2038-01-31T12:00:00.000Z' : 'Pier';
}

/** The other arguments without which the mutation does not run, as they are. */
const restOf = (setter: Setter, setting: string, before: Answer) =>
  Object.fromEntries(
    Object.entries(OPERATIONS[setter].args)
      .filter(([name, type]) => type.endsWith('!') && name !== 'id' && name !== setting)
      .map(([name]) => [name, before[name]]),
  );

test.for(CASES)('%s stores %s, shows and records it, and changes nothing else', async ([setter, setting]) => {
  const type = SETTERS[setter];
  const { query, idOf } = TYPES[type];
  const read = (of: SeededApp): Promise<Answer> => operator.run(query, { id: idOf(of) }, SETTING_FIELDS[type]);
  const [before, beside] = [await read(own), await read(other)];
  const value = makeValue(setter, setting, before[setting]);
  const args = { id: idOf(own), ...restOf(setter, setting, before) };
  const latest = async () => {
    const log = 'query ($f: AuditFilter) { auditLog(filter: $f) { items { changes { setting from to } } } }';
    return (await operator(log, { f: { target: args.id, action: setter } })).auditLog.items[0]?.changes;
  };
  const inLog = (one: unknown) => (one === null ? null : String(one));

  expect(value).not.toEqual(before[setting]);
  expect(await operator.run(setter, { ...args, [setting]: value }, setting)).toEqual({ [setting]: value });
  expect(await read(own)).toEqual({ ...before, [setting]: value });
  expect(await latest()).toEqual([{ setting, from: inLog(before[setting]), to: inLog(value) }]);

  // Null clears a setting that may be null, and leaves any other.
  if (!typeOf(setter, setting).endsWith('!')) {
    const mayBeNull = z
      .object(SETTINGS[type].shape)
      .partial()
      .safeParse({ [setting]: null }).success;
    await operator.run(setter, { ...args, [setting]: null }, setting);
    expect(await read(own)).toEqual({ ...before, [setting]: mayBeNull ? null : value });
  }
  expect(await read(other)).toEqual(beside);
});

import { expect } from 'vitest';
import { newId, type RegistrationId } from '../../src/basics/ids.ts';
import { insertRegistration } from '../../src/store/registrations/registrations.ts';
import { listSealedValues, updateSealedValue } from '../../src/store/sealed.ts';
import { test } from '../kit/postgres.ts';

const COLUMN = { table: 'registration', column: 'sealed_client_secret', id: 'registration_id' };
const ALL = { limit: 10_000, after: null };

test('sealed values are listed by the ids of their rows, page by page, and replaced unless they have changed', async ({
  sql,
}) => {
  const ids: RegistrationId[] = [];
  for (let number = 1; number <= 3; number += 1)
    ids.push(
      await insertRegistration(
        sql,
        { provider: 'PROVIDER_A', label: 'Client', clientId: newId<RegistrationId>() },
        async () => 'sealed',
      ),
    );
  const [first, second, third] = ids.toSorted() as [RegistrationId, RegistrationId, RegistrationId];
  const own = async (page: Parameters<typeof listSealedValues>[2]) =>
    (await listSealedValues(sql, COLUMN, page)).filter(({ id }) => (ids as string[]).includes(id));
  const value = (id: string, sealed = 'sealed') => ({ id, sealed });
  expect(await own(ALL)).toEqual([value(first), value(second), value(third)]);
  expect(await own({ ...ALL, after: first })).toEqual([value(second), value(third)]);
  expect(await listSealedValues(sql, COLUMN, { limit: 2, after: null })).toHaveLength(2);
  expect(await updateSealedValue(sql, COLUMN, value(second, 'another'), 'lost')).toBe(false);
  expect(await updateSealedValue(sql, COLUMN, value(second), 'newer')).toBe(true);
  expect(await updateSealedValue(sql, COLUMN, value(second), 'late')).toBe(false);
  expect(await own(ALL)).toEqual([value(first), value(second, 'newer'), value(third)]);
});

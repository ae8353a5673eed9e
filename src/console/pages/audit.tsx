import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { TYPING_DELAY_MS } from '../admin-client/polling.ts';
import { AUDIT_COLUMNS } from '../components/audit-table.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import { FilterBar, SelectFilter, useFilters } from '../components/filters.tsx';
import { Page } from '../components/page.tsx';
import { AuditLogDocument, LEAST_ROLES } from '../generated/operations.ts';

const FIELDS = [
  ['actor', 'Operator', 'token:<id>'],
  ['target', 'Target', 'any id'],
  ['correlation', 'Correlation id', 'of a request'],
] as const;

const ACTIONS = Object.keys(LEAST_ROLES).sort();
const OUTCOMES = ['DONE', 'DRY_RUN', 'FAILED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT', 'UNAUTHENTICATED'];

/** The choices, and the value that a link set: the command line's acts have names of their own. */
const listChoices = (known: readonly string[], value: string | null): readonly string[] =>
  value === null || known.includes(value) ? known : [value, ...known];

export function Audit() {
  const { get, set } = useFilters<'actor' | 'action' | 'target' | 'outcome' | 'correlation'>();
  const typed = Object.fromEntries(FIELDS.flatMap(([name]) => (get(name) ? [[name, get(name)]] : [])));
  const [action, outcome] = [get('action'), get('outcome')];
  const [{ correlation = null, ...ids }] = useDebouncedValue<Readonly<Record<string, string | null>>>(
    typed,
    TYPING_DELAY_MS,
  );
  const filter = { ...ids, correlationId: correlation, action, outcome };
  const pages = usePaginatedQuery(AuditLogDocument, { filter, first: 50 }, ({ auditLog }) => auditLog);
  return (
    <Page
      title="Audit log"
      lead="Every change that an operator made or was refused, newest first. Entries hold names and ids only, and are never deleted."
    >
      <FilterBar>
        {FIELDS.map(([name, label, placeholder]) => (
          <TextInput
            key={name}
            label={label}
            placeholder={placeholder}
            value={get(name) ?? ''}
            onChange={({ currentTarget }) => set(name, currentTarget.value)}
          />
        ))}
        <SelectFilter
          label="Action"
          value={action}
          of={listChoices(ACTIONS, action)}
          onChange={(value) => set('action', value)}
        />
        <SelectFilter
          label="Outcome"
          value={outcome}
          of={listChoices(OUTCOMES, outcome)}
          onChange={(value) => set('outcome', value)}
        />
      </FilterBar>
      <PaginatedTable
        caption="Audit log"
        pages={pages}
        idOf={({ id }) => id}
        empty="No entry matches."
        columns={AUDIT_COLUMNS}
      />
    </Page>
  );
}

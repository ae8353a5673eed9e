import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { TYPING_DELAY_MS } from '../admin-client/polling.ts';
import { AUDIT_COLUMNS } from '../components/audit-table.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import { FilterBar, useFilters } from '../components/filters.tsx';
import { Page } from '../components/page.tsx';
import { AuditLogDocument } from '../generated/operations.ts';

const FIELDS = [
  ['actor', 'Operator', 'token:<id>'],
  ['action', 'Action', 'retryJob'],
  ['target', 'Target', 'any id'],
  ['outcome', 'Outcome', 'DONE'],
] as const;

export function Audit() {
  const { get, set } = useFilters<'actor' | 'action' | 'target' | 'outcome'>();
  const typed = Object.fromEntries(FIELDS.flatMap(([name]) => (get(name) ? [[name, get(name)]] : [])));
  const [filter] = useDebouncedValue(typed, TYPING_DELAY_MS);
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

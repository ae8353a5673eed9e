import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { usePages } from '../ask/hooks.ts';
import { TYPING_MS } from '../ask/pace.ts';
import { AuditDocument } from '../generated/operations.ts';
import { AUDIT_COLUMNS } from '../parts/audit-rows.tsx';
import { FilterBar, useFilters } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedRows } from '../parts/rows.tsx';

const FIELDS = [
  ['actor', 'Who', 'token:<id>'],
  ['action', 'What', 'retryJob'],
  ['target', 'About', 'any id'],
  ['outcome', 'Outcome', 'DONE'],
] as const;

export function Audit() {
  const { get, set } = useFilters<'actor' | 'action' | 'target' | 'outcome'>();
  const typed = Object.fromEntries(FIELDS.flatMap(([name]) => (get(name) ? [[name, get(name)]] : [])));
  const [filter] = useDebouncedValue(typed, TYPING_MS);
  const pages = usePages(AuditDocument, { filter, first: 50 }, ({ auditLog }) => auditLog);
  return (
    <Page
      title="Audit log"
      lead="Every change an operator made or was refused, newest first. Names and ids only; nothing is ever taken out."
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
      <PagedRows
        caption="Audit log"
        pages={pages}
        idOf={({ id }) => id}
        none="No such entry."
        columns={AUDIT_COLUMNS}
      />
    </Page>
  );
}

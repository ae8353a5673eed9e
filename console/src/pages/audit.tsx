import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useAdminQuery, usePaginatedQuery } from '../admin-client/hooks.ts';
import { TYPING_DELAY_MS } from '../admin-client/polling.ts';
import { AUDIT_COLUMNS, formatActor } from '../components/audit-table.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import { FilterBar, SelectFilter, useFilters, withChosen } from '../components/filters.tsx';
import { Page } from '../components/page.tsx';
import { AuditChoicesDocument, AuditLogDocument } from '../generated/operations.ts';

/** Ids are too many to choose from. */
const ID_FILTERS = [
  ['target', 'Target', 'any id'],
  ['correlation', 'Correlation id', 'of a request'],
] as const;

const OUTCOMES = ['DONE', 'DRY_RUN', 'FAILED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT', 'UNAUTHENTICATED'];

export function Audit() {
  const { get, set } = useFilters<'actor' | 'action' | 'target' | 'outcome' | 'correlation'>();
  const { data } = useAdminQuery(AuditChoicesDocument, {});
  const { actors = [], actions = [] } = data?.auditChoices ?? {};
  const typed = Object.fromEntries(ID_FILTERS.flatMap(([name]) => (get(name) ? [[name, get(name)]] : [])));
  const [actor, action, outcome] = [get('actor'), get('action'), get('outcome')];
  const [{ correlation = null, ...ids }] = useDebouncedValue<Readonly<Record<string, string | null>>>(
    typed,
    TYPING_DELAY_MS,
  );
  const filter = { ...ids, correlationId: correlation, actor, action, outcome };
  const pages = usePaginatedQuery(AuditLogDocument, { filter, first: 50 }, ({ auditLog }) => auditLog);
  const nameActor = (value: string) =>
    formatActor(actors.find((one) => one.actor === value) ?? { actor: value, actorLabel: null });
  return (
    <Page
      title="Audit log"
      lead="Every change that an operator made or was refused, newest first. Entries hold names and ids only, and are never deleted."
    >
      <FilterBar>
        <SelectFilter
          label="Operator"
          value={actor}
          of={withChosen(
            actors.map((one) => one.actor),
            actor,
          )}
          nameOf={nameActor}
          onChange={(value) => set('actor', value)}
        />
        <SelectFilter
          label="Action"
          value={action}
          of={withChosen(actions, action)}
          onChange={(value) => set('action', value)}
        />
        <SelectFilter
          label="Outcome"
          value={outcome}
          of={withChosen(OUTCOMES, outcome)}
          onChange={(value) => set('outcome', value)}
        />
        {ID_FILTERS.map(([name, label, placeholder]) => (
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

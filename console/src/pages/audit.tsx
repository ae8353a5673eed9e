import { useAdminQuery, usePaginatedQuery } from '../admin-client/hooks.ts';
import { AUDIT_COLUMNS, formatActor } from '../components/audit-table.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import { FilterBar, oneOrOther, typed, useFilters } from '../components/filters.tsx';
import { Page } from '../components/page.tsx';
import { AuditChoicesDocument, AuditLogDocument } from '../generated/operations.ts';

const OUTCOMES = ['DONE', 'DRY_RUN', 'FAILED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT', 'UNAUTHENTICATED'];

export function Audit() {
  const { data } = useAdminQuery(AuditChoicesDocument, {});
  const { actors = [], actions = [] } = data?.auditChoices ?? {};
  const ids = actors.map(({ actor }) => actor);
  const nameActor = (value: string) =>
    formatActor(actors.find(({ actor }) => actor === value) ?? { actor: value, actorLabel: null });
  const [filter, controls] = useFilters({
    actor: oneOrOther('actor', 'Operator', ids, nameActor),
    action: oneOrOther('action', 'Action', actions),
    outcome: oneOrOther('outcome', 'Outcome', OUTCOMES),
    // Ids are too many to choose from.
    target: typed('target', 'Target', { placeholder: 'any id' }),
    correlationId: typed('correlation', 'Correlation id', { placeholder: 'of a request' }),
  });
  const pages = usePaginatedQuery(AuditLogDocument, { filter, first: 50 }, ({ auditLog }) => auditLog);
  return (
    <Page
      title="Audit log"
      lead="Every change that an operator made or was refused, newest first. Entries hold names and ids only, and are never deleted."
    >
      <FilterBar>{controls}</FilterBar>
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

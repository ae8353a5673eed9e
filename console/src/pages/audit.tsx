import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { AUDIT_OUTCOMES } from '../../../src/basics/codes.ts';
import { useAdminQuery, usePaginatedQuery, useQuestion } from '../admin-client/hooks.ts';
import { AUDIT_COLUMNS, formatActor } from '../components/audit-table.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import { download } from '../components/download.ts';
import { oneOrOther, onlyIf, typed } from '../components/filters/filter-kinds.tsx';
import { type Filter, FilterBar, NoMatches, useFilters } from '../components/filters/filters.tsx';
import { timeRange } from '../components/filters/time-range.tsx';
import { Page } from '../components/page.tsx';
import {
  AuditChoicesDocument,
  type AuditEntryDetailsFragment,
  type AuditFilter,
  AuditLogDocument,
} from '../generated/operations.ts';
import { describeAction, toCsv } from '../texts/audit.ts';
import { formatCount } from '../texts/format.ts';
import { formatProblem } from '../texts/problem.ts';
import { getState } from '../texts/states.ts';

/** A list of its own: the frequent outcomes. The log also has others. */
const OUTCOMES = ['DONE', 'FAILED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT', 'UNAUTHENTICATED'];

const [SINCE, BEFORE] = timeRange('Time');

/** The reads of persons outnumber everything else, so they show only on request. So do dry runs, which changed nothing. */
const WITH_READS: Filter<false | null> = {
  ...onlyIf('reads', 'With reads of persons'),
  read: (text) => (text === 'true' ? null : false),
};

const WITH_DRY_RUNS: Filter<false | null> = {
  ...onlyIf('dry', 'With dry runs'),
  read: (text) => (text === 'true' ? null : false),
};

/** Marks a value that no entry can have, and does not filter by it, once the others are known. */
const among = (known: readonly string[], filter: Filter<string | null>): Filter<string | null> => {
  const isUnknown = (text: string) => text !== '' && known.length > 0 && !known.includes(text);
  return {
    ...filter,
    read: (text) => (isUnknown(text) ? null : filter.read(text)),
    findUnknown: (text) => (isUnknown(text) ? [text] : []),
  };
};

export function Audit() {
  const { data } = useAdminQuery(AuditChoicesDocument, {});
  const { actors = [], actions = [] } = data?.auditChoices ?? {};
  const ids = actors.map(({ actor }) => actor);
  const nameActor = (value: string) =>
    formatActor(actors.find(({ actor }) => actor === value) ?? { actor: value, actorLabel: null });
  const [filter, controls, clear] = useFilters({
    actor: oneOrOther('actor', 'Operator', ids, nameActor),
    action: among(actions, oneOrOther('action', 'Action', actions, describeAction)),
    outcome: among(
      AUDIT_OUTCOMES,
      oneOrOther('outcome', 'Outcome', OUTCOMES, (outcome) => getState(outcome).label),
    ),
    // Ids are too many to choose from.
    target: typed('target', 'Target', { placeholder: 'any id' }),
    correlationId: typed('correlation', 'Correlation id', { placeholder: 'of a request' }),
    since: SINCE,
    before: BEFORE,
    reads: WITH_READS,
    dryRuns: WITH_DRY_RUNS,
  });
  // A request has few entries: all show.
  const shown = filter.correlationId === null ? filter : { ...filter, reads: null, dryRuns: null };
  const pages = usePaginatedQuery(AuditLogDocument, { filter: shown, first: 50 }, ({ auditLog }) => auditLog);
  return (
    <Page
      title="Audit log"
      lead="Every change that an operator made or was refused, newest first; and for a year, whose data they read. Entries hold no secret and no name of a person."
      actions={<ExportButton filter={shown} />}
    >
      <FilterBar>{controls}</FilterBar>
      <PaginatedTable
        caption="Audit log"
        pages={pages}
        idOf={({ id }) => id}
        empty={<NoMatches of="entry" icon="audit" clear={clear} otherwise="The log has no entry yet." />}
        columns={AUDIT_COLUMNS}
      />
    </Page>
  );
}

/** A file of more entries needs the command line, or a narrower filter. */
const MOST_EXPORTED = 10_000;

/** Downloads the entries of the filter, newest first. */
function ExportButton({ filter }: { filter: AuditFilter }) {
  const ask = useQuestion(AuditLogDocument);
  const [isBusy, setIsBusy] = useState(false);
  async function run() {
    setIsBusy(true);
    const entries: AuditEntryDetailsFragment[] = [];
    let after: string | null = null;
    do {
      const { data, problem }: Awaited<ReturnType<typeof ask>> = await ask({ filter, first: 100, after });
      if (problem !== undefined) {
        setIsBusy(false);
        notifications.show({
          title: 'The export failed',
          message: formatProblem(problem),
          color: 'red',
          autoClose: false,
        });
        return;
      }
      entries.push(...data.auditLog.items);
      after = data.auditLog.pageInfo.hasNextPage ? data.auditLog.pageInfo.endCursor : null;
    } while (after !== null && entries.length < MOST_EXPORTED);
    setIsBusy(false);
    download(`audit-log-${new Date().toISOString().slice(0, 10)}.csv`, toCsv(entries), 'text/csv');
    const more = after === null ? '' : ' There are more: choose a shorter time.';
    notifications.show({
      message: `${formatCount(entries.length, 'entry', 'entries')} exported.${more}`,
      color: 'teal',
    });
  }
  return (
    <Button variant="default" loading={isBusy} onClick={() => void run()}>
      Export as CSV
    </Button>
  );
}

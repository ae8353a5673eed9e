import { Button, List, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId } from 'react';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { DataTable } from '../components/data-table.tsx';
import { APP_FILTER, type Filter, FilterBar, PROVIDER_FILTER, useFilters } from '../components/filters.tsx';
import { InternalLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { WorkChart, WorkSums } from '../components/work-chart.tsx';
import { EndedWorkDocument, type EndedWorkQuery, type WorkPeriod } from '../generated/operations.ts';
import { formatSlot, listReasons, listSlots, SERIES, type Slot, sumSlot, toRowsUrl } from '../texts/ended-work.ts';

/** Counts of an hour change slowly, compared with a page that somebody reads. */
const POLL_MS = 30_000;
const toPeriod = (text: string): WorkPeriod => (text === 'MONTH' ? 'MONTH' : 'DAY');

const PERIOD_FILTER: Filter<WorkPeriod> = {
  name: 'period',
  read: toPeriod,
  control: (text, set) => (
    <SegmentedControl
      aria-label="Period"
      style={{ gridColumn: '1 / -1' }}
      value={toPeriod(text)}
      onChange={(chosen) => set(chosen === 'DAY' ? null : chosen)}
      data={[
        { value: 'DAY', label: '24 hours' },
        { value: 'MONTH', label: '30 days (UTC)' },
      ]}
    />
  ),
};
const FILTERS = { period: PERIOD_FILTER, provider: PROVIDER_FILTER, appId: APP_FILTER };

/** What ended over a day or a month, from our own counts. */
export function Trends() {
  const [filter, controls] = useFilters(FILTERS);
  const query = useAdminQuery(EndedWorkDocument, filter, { pollMs: POLL_MS });
  const work = query.data?.endedWork;
  return (
    <Page
      title="Trends"
      lead="What succeeded and what failed, by the hour or by the day. Click a column or a reason to see its rows. The counts outlive the rows: attempts are kept for a day, revokes and reads for days, deliveries for a month."
    >
      <FilterBar>{controls}</FilterBar>
      <QueryState of={query} />
      {work &&
        SERIES.filter(({ kind }) => kind !== 'WEBHOOK' || filter.provider === null).map((words) => (
          <Series
            key={words.kind}
            words={words}
            work={work}
            period={filter.period}
            filter={{ app: filter.appId, provider: filter.provider }}
          />
        ))}
    </Page>
  );
}

interface SeriesProps {
  readonly words: (typeof SERIES)[number];
  readonly work: EndedWorkQuery['endedWork'];
  readonly period: WorkPeriod;
  readonly filter: { readonly app: string | null; readonly provider: string | null };
}

function Series({ words, work, period, filter }: SeriesProps) {
  const [isTable, { toggle }] = useDisclosure();
  const headingId = useId();
  const { kind, title, lead } = words;
  const slots = listSlots(work, kind, period);
  const reasons = listReasons(work, kind);
  const urlOf = (slot: Slot) =>
    slot.rowsKept ? toRowsUrl(kind, null, { since: slot.at, before: slot.before, ...filter }) : undefined;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={headingId}>
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4" id={headingId}>
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {lead}
          </Text>
        </div>
        <WorkSums slots={slots} words={words} />
        <WorkChart slots={slots} period={period} words={words} urlOf={urlOf} />
        <Reasons
          reasons={reasons}
          urlOf={(outcome) => toRowsUrl(kind, outcome, { since: work.since, before: work.before, ...filter })}
          kind={kind}
        />
        <Button variant="subtle" size="compact-sm" w="fit-content" onClick={toggle} aria-expanded={isTable}>
          {isTable ? 'Hide the numbers' : 'Show the numbers'}
        </Button>
        {isTable && <Numbers slots={slots} period={period} words={words} urlOf={urlOf} />}
      </Stack>
    </Paper>
  );
}

interface ReasonsProps {
  readonly reasons: ReturnType<typeof listReasons>;
  readonly urlOf: (outcome: string) => string | undefined;
  readonly kind: SeriesProps['words']['kind'];
}

/** Why work did not succeed, each reason with a link to its rows. */
function Reasons({ reasons, urlOf, kind }: ReasonsProps) {
  if (reasons.length === 0) return null;
  return (
    <List size="sm" spacing={4}>
      {reasons.map(({ outcome, message, count, causes, rowsKept }) => {
        // Connections that still need a reconnect are listed, whenever they lost their grant.
        const url = rowsKept || kind === 'TOKEN_REFRESH' ? urlOf(outcome) : undefined;
        const text = `${count.toLocaleString('en')} × ${outcome}`;
        return (
          <List.Item key={outcome}>
            {url === undefined ? (
              text
            ) : (
              <InternalLink href={url} isInline>
                {text}
              </InternalLink>
            )}
            : {message}
            {causes.length > 0 && (
              <Text size="xs" c="dimmed">
                Last answer: {causes.map((one) => `${one.cause} (${one.count.toLocaleString('en')})`).join(', ')}
              </Text>
            )}
          </List.Item>
        );
      })}
    </List>
  );
}

interface NumbersProps extends Pick<SeriesProps, 'words' | 'period'> {
  readonly slots: readonly Slot[];
  readonly urlOf: (slot: Slot) => string | undefined;
}

/** The same as the chart, for a keyboard and a screen reader. */
const Numbers = ({ slots, period, words, urlOf }: NumbersProps) => (
  <DataTable
    caption={words.title}
    items={slots.filter((slot) => sumSlot(slot) > 0).reverse()}
    idOf={({ at }) => at}
    empty="Nothing ended in this period."
    columns={[
      {
        name: period === 'DAY' ? 'Hour' : 'Day (UTC)',
        cell: (slot) => {
          const [url, text] = [urlOf(slot), formatSlot(slot.at, period)];
          return url === undefined ? text : <InternalLink href={url}>{text}</InternalLink>;
        },
      },
      { name: toTitle(words.succeeded), cell: ({ succeeded }) => succeeded.toLocaleString('en') },
      { name: toTitle(words.failed), cell: ({ failed }) => failed.toLocaleString('en') },
    ]}
  />
);

const toTitle = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

import { Button, Paper, Progress, SegmentedControl, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId } from 'react';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { DataTable } from '../components/data-table.tsx';
import { type Filter, FilterBar, useFilters } from '../components/filters/filters.tsx';
import { APP_FILTER, PROVIDER_FILTER } from '../components/filters/shared-filters.tsx';
import { InternalLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { WorkChart, WorkSums } from '../components/work-chart.tsx';
import { EndedWorkDocument, type EndedWorkQuery, type WorkPeriod } from '../generated/operations.ts';
import {
  formatSlot,
  listReasons,
  listSlots,
  SERIES,
  type Slot,
  sumSlot,
  takeLastDays,
  toRowsUrl,
} from '../texts/ended-work.ts';
import { toTitle } from '../texts/format.ts';

/** Counts of an hour change slowly while a page is read. */
const POLL_MS = 30_000;

const PERIODS = ['DAY', 'WEEK', 'MONTH'] as const;
type Period = (typeof PERIODS)[number];
const toPeriod = (text: string): Period => PERIODS.find((one) => one === text) ?? 'DAY';
const DAYS_OF_WEEK = 7;

const PERIOD_FILTER: Filter<Period> = {
  name: 'period',
  read: toPeriod,
  isField: true,
  control: ({ get, set }) => (
    <SegmentedControl
      aria-label="Period"
      value={toPeriod(get('period'))}
      onChange={(chosen) => set({ period: chosen === 'DAY' ? null : chosen })}
      data={[
        { value: 'DAY', label: '24 hours' },
        { value: 'WEEK', label: '7 days' },
        { value: 'MONTH', label: '30 days' },
      ]}
    />
  ),
};
const FILTERS = { period: PERIOD_FILTER, provider: PROVIDER_FILTER, appId: APP_FILTER };

/** The work that ended over a day or a month, from our own counts. */
export function Trends() {
  const [filter, controls] = useFilters(FILTERS);
  // The service counts the hours of a day and the days of a month.
  const period: WorkPeriod = filter.period === 'DAY' ? 'DAY' : 'MONTH';
  const query = useAdminQuery(EndedWorkDocument, { ...filter, period }, { pollMs: POLL_MS });
  const all = query.data?.endedWork;
  const work = all && filter.period === 'WEEK' ? takeLastDays(all, DAYS_OF_WEEK) : all;
  return (
    <Page
      title="Trends"
      lead="Successes and failures, by the hour or by the day in UTC. The counts outlive the rows: attempts are kept for a day, revokes and reads for days, deliveries for a month."
    >
      <FilterBar>{controls}</FilterBar>
      <QueryState of={query} />
      {work && (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
          {SERIES.filter(({ kind }) => kind !== 'WEBHOOK' || filter.provider === null).map((words) => (
            <Series
              key={words.kind}
              words={words}
              work={work}
              period={period}
              filter={{ app: filter.appId, provider: filter.provider }}
            />
          ))}
        </SimpleGrid>
      )}
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
        <Button variant="subtle" size="compact-sm" w="fit-content" ml={-8} onClick={toggle} aria-expanded={isTable}>
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

/** Why work did not succeed, each reason with its share and a link to its rows. */
function Reasons({ reasons, urlOf, kind }: ReasonsProps) {
  if (reasons.length === 0) return null;
  const sum = reasons.reduce((total, { count }) => total + count, 0);
  return (
    <Table verticalSpacing={4} horizontalSpacing={6} fz="sm" aria-label="Reasons">
      <Table.Tbody>
        {reasons.map(({ outcome, message, count, causes, rowsKept }) => {
          // Connections that still need a reconnect are listed, whenever they lost their grant.
          const url = rowsKept || kind === 'TOKEN_REFRESH' ? urlOf(outcome) : undefined;
          const answers = causes.filter((one) => one.message === null);
          const refusals = causes.filter((one) => one.message !== null);
          return (
            <Table.Tr key={outcome}>
              <Table.Td w={52} ta="right" style={{ verticalAlign: 'top' }}>
                {count.toLocaleString('en')}
              </Table.Td>
              <Table.Td w={64} style={{ verticalAlign: 'top' }}>
                <Progress value={(100 * count) / sum} mt={7} aria-hidden />
              </Table.Td>
              <Table.Td>
                {url === undefined ? outcome : <InternalLink href={url}>{outcome}</InternalLink>}
                <Text size="xs" c="dimmed">
                  {message}
                  {answers.length > 0 && ` Last answer: ${answers.map(nameCause).join(', ')}.`}
                  {refusals.map(
                    (one) => ` A page of ours refused the browser of ${one.count.toLocaleString('en')}: ${one.message}`,
                  )}
                </Text>
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}

const nameCause = ({ cause, count }: ReasonsProps['reasons'][number]['causes'][number]) =>
  `${cause.replace('_', ' ')} (${count.toLocaleString('en')})`;

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
      { name: toTitle(words.succeeded), isNumber: true, cell: ({ succeeded }) => succeeded.toLocaleString('en') },
      { name: toTitle(words.failed), isNumber: true, cell: ({ failed }) => failed.toLocaleString('en') },
      ...(words.left === undefined
        ? []
        : [{ name: toTitle(words.left), isNumber: true, cell: ({ left }: Slot) => left.toLocaleString('en') }]),
    ]}
  />
);

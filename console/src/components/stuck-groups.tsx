import { Text } from '@mantine/core';
import { PLATFORM_NAMES } from '../../../src/basics/codes.ts';
import { toGroupFilter, toGroupUrl } from '../admin-client/job-filters.ts';
import type { JobStatus, StuckWorkDetailsFragment } from '../generated/operations.ts';
import { formatCount } from '../texts/format.ts';
import { formatJobCount } from '../texts/jobs.ts';
import { AppLink } from './app-link.tsx';
import { BulkRetryButton } from './bulk-retry.tsx';
import { DataTable } from './data-table.tsx';
import { InternalLink } from './links.tsx';
import { PlatformName } from './platform.tsx';
import { AgeCell } from './time.tsx';

type Group = StuckWorkDetailsFragment['groups'][number];

const getGroupKey = ({ appId, provider, kind, lastFailure }: Group) =>
  [appId, provider, kind, lastFailure?.code ?? ''].join(' ');

interface StuckGroupsProps {
  readonly stuck: StuckWorkDetailsFragment;
  /** The statuses that were counted; empty means all. */
  readonly statuses?: readonly JobStatus[];
}

/** Stuck jobs grouped by app, provider and reason: hundreds of jobs in a few rows. */
export const StuckGroups = ({ stuck: { groups, groupCount }, statuses = [] }: StuckGroupsProps) => (
  <>
    <DataTable
      caption="Stuck jobs by app, provider and reason"
      items={groups}
      idOf={getGroupKey}
      empty="No job is stuck."
      columns={[
        {
          name: 'Stuck jobs',
          cell: (group) => <InternalLink href={toGroupUrl(group, statuses)}>{formatGroupCount(group)}</InternalLink>,
        },
        { name: 'App', cell: ({ appId, appName }) => <AppLink id={appId} name={appName} /> },
        { name: 'Platform', cell: ({ provider }) => <PlatformName of={provider} /> },
        {
          name: 'Reason',
          share: 30,
          wraps: true,
          cell: describeReason,
        },
        { name: 'Longest', cell: ({ since }) => <AgeCell since={since} /> },
        {
          name: '',
          cell: (group) => (
            <BulkRetryButton
              filter={toGroupFilter(group, statuses)}
              label="Retry…"
              target={`${formatGroupCount(group)} of ${group.appName} at ${PLATFORM_NAMES[group.provider]}`}
              size="compact-sm"
            />
          ),
        },
      ]}
    />
    {groupCount > groups.length && (
      <Text size="sm" c="dimmed">
        and {formatCount(groupCount - groups.length, 'smaller group')}. Use the filters to see them.
      </Text>
    )}
  </>
);

function describeReason({ lastAnswer, lastAnswerCode, lastFailure }: Group): string {
  if (lastFailure === null) return 'The jobs have not reported.';
  const answer = [lastAnswer?.replace('_', ' '), lastAnswerCode].filter(Boolean).join(' ');
  return answer === '' ? lastFailure.message : `${answer}: ${lastFailure.message}`;
}

const formatGroupCount = ({ kind, count: jobs, failedCount }: Group) =>
  `${formatJobCount(kind, jobs)}${failedCount > 0 ? `, ${failedCount.toLocaleString('en')} failed permanently` : ''}`;

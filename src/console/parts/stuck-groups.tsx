import { Text } from '@mantine/core';
import { addressOfGroup, filterOfGroup } from '../ask/job-filters.ts';
import type { JobStatus, StuckFragment } from '../generated/operations.ts';
import { count } from '../words/count.ts';
import { countOf } from '../words/jobs.ts';
import { AppName } from './app-name.tsx';
import { To } from './links.tsx';
import { PushMany } from './push-many.tsx';
import { Rows } from './rows.tsx';
import { Age } from './time.tsx';

type Group = StuckFragment['groups'][number];

const keyOf = ({ appId, provider, kind, lastFailure }: Group) =>
  [appId, provider, kind, lastFailure?.code ?? ''].join(' ');

interface StuckGroupsProps {
  readonly stuck: StuckFragment;
  /** Those that were counted; none where all were. */
  readonly statuses?: readonly JobStatus[];
}

/** What is stuck, by whose it is, where and why: hundreds of jobs in a few lines. */
export const StuckGroups = ({ stuck: { groups, groupCount }, statuses = [] }: StuckGroupsProps) => (
  <>
    <Rows
      caption="What is stuck, by app, provider and reason"
      items={groups}
      idOf={keyOf}
      none="Nothing is stuck."
      columns={[
        { name: 'Stuck', cell: (group) => <To href={addressOfGroup(group, statuses)}>{inCount(group)}</To> },
        { name: 'App', cell: ({ appId, appName }) => <AppName id={appId} name={appName} /> },
        { name: 'Provider', cell: ({ provider }) => provider },
        { name: 'Why', cell: ({ lastFailure }) => lastFailure?.message ?? 'Nothing has been heard of them.' },
        { name: 'Longest for', cell: ({ since }) => <Age since={since} /> },
        {
          name: '',
          cell: (group) => (
            <PushMany
              filter={filterOfGroup(group, statuses)}
              label="Push…"
              about={`${inCount(group)} of ${group.appName} at ${group.provider}`}
              size="xs"
            />
          ),
        },
      ]}
    />
    {groupCount > groups.length && (
      <Text size="sm" c="dimmed">
        and {count(groupCount - groups.length, 'smaller group')} like these. Filter to see them.
      </Text>
    )}
  </>
);

const inCount = ({ kind, count: jobs, failedCount }: Group) =>
  `${countOf(kind, jobs)}${failedCount > 0 ? `, ${failedCount.toLocaleString('en')} failed for good` : ''}`;

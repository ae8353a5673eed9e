import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { OPEN_JOB, PLATFORM_NAMES } from '../../../../src/basics/codes.ts';
import { InternalLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { PastFailures } from '../../components/past-failures.tsx';
import { PlatformName } from '../../components/platform.tsx';
import { StateBadge } from '../../components/status-badge.tsx';
import { Age, Span, Time } from '../../components/time.tsx';
import type { HealthDetailsFragment, OverviewQuery } from '../../generated/operations.ts';
import { formatCount, hostOf } from '../../texts/format.ts';
import { formatJobCount } from '../../texts/jobs.ts';
import { HEALTH_STATES } from '../../texts/states.ts';
import { Bar, Bars, isAsUsual, ProviderBars } from './provider-bars.tsx';

type Overview = OverviewQuery['overview'];

/** Not only the stuck ones: a job fails for 15 minutes before it is stuck. */
const OPEN_JOBS = `/jobs?status=${OPEN_JOB.join(',')}`;

/** The health of each platform in use, and of the deliveries to apps. */
export function Providers({ overview }: { overview: Overview }) {
  const inUse = overview.providers.filter(
    ({ provider, health, openJobs }) =>
      health.level !== 'QUIET' || openJobs > 0 || overview.connections.some((one) => one.provider === provider),
  );
  if (inUse.length === 0 && overview.webhookHealth.level === 'QUIET') return null;
  return (
    <Section
      title="Health"
      lead={
        <>
          Work that ended since <Time at={overview.providers[0]?.health.since ?? overview.at} />, compared with the week
          before. Work that a person, an app or an operator ended here does not count. A grant that a platform refuses
          does: it does not say whether the person removed the app there.
        </>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 4 }}>
        {inUse.map((health) => (
          <HealthCard
            key={health.provider}
            name={PLATFORM_NAMES[health.provider]}
            title={<PlatformName of={health.provider} />}
            health={health.health}
          >
            {health.rejectedRegistrations > 0 && <InternalLink href="/registrations">View registrations</InternalLink>}
            <ProviderBars
              health={health}
              workers={overview.workers}
              connections={overview.connections.filter(({ provider }) => provider === health.provider)}
            />
            {health.failing.map(({ kind, failure, lastAnswer, count: jobs, since }) => (
              <Text key={[kind, failure.code, lastAnswer, failure.message].join(' ')} size="sm">
                <InternalLink
                  isInline
                  href={`${OPEN_JOBS}&kind=${kind}&provider=${health.provider}&failure=${failure.code}`}
                >
                  {formatJobCount(kind, jobs)}
                </InternalLink>{' '}
                for <Age since={since} />: {failure.message}
              </Text>
            ))}
            {health.refusedFrom && health.refusedUntil && (
              <Text size="sm">
                Refused our client <Span from={health.refusedFrom} to={health.refusedUntil} />.
              </Text>
            )}
            {health.pastFailures.map((past) => (
              <PastFailures key={past.since} of={past} />
            ))}
          </HealthCard>
        ))}
        <HealthCard name="Webhooks" title="Webhooks" health={overview.webhookHealth}>
          <Bars>
            {overview.webhookHealth.work.map(({ kind, succeeded, failed }) => (
              <Bar
                key={kind}
                name="Deliveries"
                healthy={succeeded}
                failing={failed}
                isHealthy={isAsUsual(overview.webhookHealth)}
              />
            ))}
          </Bars>
          {overview.recoveredWebhookEndpoints.map(
            ({ id, url, pastFailures }) =>
              pastFailures && (
                <Text key={id} size="sm">
                  <InternalLink isInline href={`/webhooks/${id}`}>
                    {hostOf(url)}
                  </InternalLink>
                  : <PastFailures of={pastFailures} />
                </Text>
              ),
          )}
        </HealthCard>
      </SimpleGrid>
    </Section>
  );
}

const describeEnded = (succeeded: number, ended: number): string =>
  ended === 0
    ? 'Nothing has ended.'
    : `${formatCount(ended, 'operation')} ended, ${succeeded.toLocaleString('en')} of ${ended === 1 ? 'it' : 'them'} with success.`;

interface HealthCardProps {
  /** For screen readers. */
  readonly name: string;
  readonly title: ReactNode;
  readonly health: HealthDetailsFragment;
  readonly children: ReactNode;
}

const HealthCard = ({ name, title, health, children }: HealthCardProps) => (
  <Paper withBorder p="md" component="article" aria-label={name}>
    <Stack gap="sm">
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Title order={3} size="h5">
          {title}
        </Title>
        <StateBadge state={HEALTH_STATES[health.level]} />
      </Group>
      <Summary health={health} />
      {children}
    </Stack>
  </Paper>
);

/** Why it is not healthy, and the numbers of the last hour or two: work that has not ended is not among these. */
function Summary({ health: { level, reasons, since, work } }: { health: HealthDetailsFragment }) {
  const succeeded = work.reduce((total, one) => total + one.succeeded, 0);
  const ended = work.reduce((total, one) => total + one.succeeded + one.failed, 0);
  return (
    <div>
      {reasons.map((reason) => (
        <Text key={reason} size="sm">
          {reason}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        {level === 'QUIET' ? (
          <>
            Nothing has ended since <Time at={since} />, and nothing is open.
          </>
        ) : (
          describeEnded(succeeded, ended)
        )}
      </Text>
    </div>
  );
}

import { Group, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { formatProvider } from '../../../../src/basics/format-provider.ts';
import { InternalLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { StateBadge } from '../../components/status-badge.tsx';
import { Age, Time } from '../../components/time.tsx';
import type { HealthDetailsFragment, OverviewQuery } from '../../generated/operations.ts';
import { formatCount } from '../../texts/format.ts';
import { HEALTH_STATES } from '../../texts/states.ts';
import classes from './provider-bars.module.css';
import { Bar, ProviderBars } from './provider-bars.tsx';

/** The health of each provider, and of the deliveries to apps. */
export const Providers = ({ overview }: { overview: OverviewQuery['overview'] }) => (
  <Section
    title="Health"
    lead={
      <>
        What ended since <Time at={overview.providers[0]?.health.since ?? overview.at} />, compared with the week
        before. What a person, an app or an operator ended does not count.
      </>
    }
  >
    <SimpleGrid cols={{ base: 1, sm: 2, xl: 4 }}>
      {overview.providers.map((health) => (
        <Paper key={health.provider} withBorder p="md" component="article" aria-label={formatProvider(health.provider)}>
          <Stack gap="sm">
            <Group justify="space-between" align="start" gap="xs">
              <Title order={3} size="h5">
                {formatProvider(health.provider)}
              </Title>
              <StateBadge state={HEALTH_STATES[health.health.level]} />
            </Group>
            <HealthReasons health={health.health} />
            {health.rejectedRegistrations > 0 && <InternalLink href="/registrations">View registrations</InternalLink>}
            <ProviderBars
              health={health}
              connections={overview.connections.filter(({ provider }) => provider === health.provider)}
            />
            {health.failing.map(({ failure, count: jobs, since }) => (
              <Text key={failure.code} size="sm">
                <InternalLink isInline href={`/jobs?stuck=true&provider=${health.provider}&failure=${failure.code}`}>
                  {formatCount(jobs, 'job')}
                </InternalLink>{' '}
                for <Age since={since} />: {failure.message}
              </Text>
            ))}
          </Stack>
        </Paper>
      ))}
      <Paper withBorder p="md" component="article" aria-label="Webhooks">
        <Stack gap="sm">
          <Group justify="space-between" align="start" gap="xs">
            <Title order={3} size="h5">
              Webhooks
            </Title>
            <StateBadge state={HEALTH_STATES[overview.webhookHealth.level]} />
          </Group>
          <HealthReasons health={overview.webhookHealth} />
          <dl className={classes.bars}>
            {overview.webhookHealth.work.map(({ kind, succeeded, failed }) => (
              <Bar key={kind} name="Deliveries" healthy={succeeded} failing={failed} />
            ))}
          </dl>
        </Stack>
      </Paper>
    </SimpleGrid>
  </Section>
);

/** Why it is not healthy, with the numbers of the last hour or two. */
function HealthReasons({ health: { level, reasons, since } }: { health: HealthDetailsFragment }) {
  if (level === 'QUIET') {
    return (
      <Text size="sm" c="dimmed">
        Nothing has ended since <Time at={since} />, and nothing is open.
      </Text>
    );
  }
  if (reasons.length === 0) return null;
  return (
    <List size="sm">
      {reasons.map((reason) => (
        <List.Item key={reason}>{reason}</List.Item>
      ))}
    </List>
  );
}

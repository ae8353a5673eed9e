import { Badge, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { formatProvider } from '../../../../src/basics/format-provider.ts';
import { InternalLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { Age } from '../../components/time.tsx';
import type { OverviewQuery } from '../../generated/operations.ts';
import { formatCount } from '../../texts/format.ts';
import { ProviderBars } from './provider-bars.tsx';

type Health = OverviewQuery['overview']['providers'][number];

/** The health of each provider. */
export const Providers = ({ overview }: { overview: OverviewQuery['overview'] }) => (
  <Section
    title="Providers"
    lead="Green: healthy. Red: failed, failing or waiting for someone. If many jobs fail for one reason, check the provider or our client there."
  >
    <SimpleGrid cols={{ base: 1, md: 3 }}>
      {overview.providers.map((health) => (
        <Paper key={health.provider} withBorder p="md" component="article" aria-label={formatProvider(health.provider)}>
          <Stack gap="sm">
            <Group justify="space-between" align="start" wrap="nowrap">
              <Title order={3} size="h5">
                {formatProvider(health.provider)}
              </Title>
              <HealthBadges health={health} />
            </Group>
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
    </SimpleGrid>
  </Section>
);

function HealthBadges({ health }: { health: Health }) {
  const { failing, rejectedRegistrations, pausedRegistrations, spentRegistrations } = health;
  const marks = [
    rejectedRegistrations > 0 && { color: 'red', text: 'Rejects our client' },
    spentRegistrations > 0 && { color: 'orange', text: 'Quota used up' },
    pausedRegistrations > 0 && { color: 'orange', text: `${pausedRegistrations} paused` },
    failing.length > 0 && { color: 'red', text: 'Failing' },
  ].filter((mark) => mark !== false);
  const shown = marks.length > 0 ? marks : [{ color: 'teal', text: 'Healthy' }];
  return (
    <Group gap={4}>
      {shown.map(({ color, text }) => (
        <Badge key={text} color={color} variant="light" tt="none">
          {text}
        </Badge>
      ))}
    </Group>
  );
}

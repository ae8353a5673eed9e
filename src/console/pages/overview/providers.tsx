import { Badge, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { OverviewQuery } from '../../generated/operations.ts';
import { To } from '../../parts/links.tsx';
import { Section } from '../../parts/page.tsx';
import { Age } from '../../parts/time.tsx';
import { count } from '../../words/count.ts';

type Health = OverviewQuery['overview']['providers'][number];

/** Charts are most of the code there is, and nobody needs them first. */
const Charts = lazy(() => import('./provider-charts.tsx'));

/** How each provider does. */
export const Providers = ({ overview }: { overview: OverviewQuery['overview'] }) => (
  <Section
    title="Providers"
    lead="Green got through, or is getting on; red has failed, is failing, or waits for somebody. One reason for many jobs is the provider, or our client there."
  >
    <SimpleGrid cols={{ base: 1, md: 3 }}>
      {overview.providers.map((health) => (
        <Paper key={health.provider} withBorder p="md" component="article" aria-label={health.provider}>
          <Stack gap="sm">
            <Group justify="space-between">
              <Title order={3} size="h5">
                {health.provider}
              </Title>
              <Mood health={health} />
            </Group>
            <Suspense fallback={<Skeleton h={CHART_HEIGHT} />}>
              <Charts
                health={health}
                connections={overview.connections.filter(({ provider }) => provider === health.provider)}
                height={CHART_HEIGHT}
              />
            </Suspense>
            {health.failing.map(({ failure, count: jobs, since }) => (
              <Text key={failure.code} size="sm">
                <To inText href={`/jobs?stuck=true&provider=${health.provider}&failure=${failure.code}`}>
                  {count(jobs, 'job')}
                </To>{' '}
                for <Age since={since} />: {failure.message}
              </Text>
            ))}
          </Stack>
        </Paper>
      ))}
    </SimpleGrid>
  </Section>
);

const CHART_HEIGHT = 150;

function Mood({ health }: { health: Health }) {
  const { failing, rejectedRegistrations, pausedRegistrations, spentRegistrations } = health;
  const marks = [
    rejectedRegistrations > 0 && { color: 'red', text: 'refuses our client' },
    spentRegistrations > 0 && { color: 'orange', text: 'quota used up' },
    pausedRegistrations > 0 && { color: 'orange', text: `${pausedRegistrations} paused` },
    failing.length > 0 && { color: 'red', text: 'failing' },
  ].filter((mark) => mark !== false);
  const shown = marks.length > 0 ? marks : [{ color: 'teal', text: 'well' }];
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

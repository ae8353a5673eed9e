import { Button, Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import { Link } from 'wouter';
import { useAdminQuery } from '../../admin-client/hooks.ts';
import { Section } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { WorkChart, WorkSums } from '../../components/work-chart.tsx';
import { EndedWorkDocument } from '../../generated/operations.ts';
import { listSlots, SERIES, toRowsUrl } from '../../texts/ended-work.ts';

/** These counts change slowly, compared with the stuck jobs above. */
const POLL_MS = 60_000;
const EVERYTHING = { app: null, provider: null };

/** The work that ended in each of the last 24 hours. */
export function LastDay() {
  const { data, problem } = useAdminQuery(EndedWorkDocument, { period: 'DAY' }, { pollMs: POLL_MS });
  if (problem) return <ProblemAlert problem={problem} />;
  if (data === undefined) return null;
  return (
    <Section
      title="Last 24 hours"
      lead="By the hour. Select a column to see its rows."
      actions={
        <Button component={Link} href="/trends" variant="subtle">
          View trends and reasons
        </Button>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {SERIES.map((words) => {
          const slots = listSlots(data.endedWork, words.kind, 'DAY');
          return (
            <Paper key={words.kind} withBorder p="md">
              <Stack gap="xs" h="100%" justify="space-between">
                <Stack gap="xs">
                  <Title order={3} size="h5">
                    {words.title}
                  </Title>
                  <WorkSums slots={slots} words={words} />
                </Stack>
                <WorkChart
                  slots={slots}
                  period="DAY"
                  words={words}
                  urlOf={({ at, before, rowsKept }) =>
                    rowsKept ? toRowsUrl(words.kind, null, { since: at, before, ...EVERYTHING }) : undefined
                  }
                />
              </Stack>
            </Paper>
          );
        })}
      </SimpleGrid>
    </Section>
  );
}

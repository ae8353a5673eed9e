import { Flex, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { formatTitle } from '../installation.tsx';
import { describeTimes } from '../texts/time.ts';
import { useZone } from '../time-zone.ts';
import { toPartId } from './page-tabs.tsx';

/** Whether this is the first page since the browser loaded the console. The first page does not take the focus. */
let isFirst = true;

interface PageProps {
  readonly title: string;
  /** The state of the page's thing, beside its title. */
  readonly badge?: ReactNode;
  readonly lead?: ReactNode;
  /** Buttons beside the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the console. It sets the tab's title, and its heading takes the focus for screen readers. */
export function Page({ title, badge, lead, actions, children }: PageProps) {
  useZone();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = formatTitle(title);
  }, [title]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
  return (
    <Stack gap="md" className="page">
      <Flex justify="space-between" align="flex-start" gap="md" direction={{ base: 'column', sm: 'row' }}>
        <div>
          <Group gap="sm">
            <Title order={1} size="h2" ref={heading} tabIndex={-1}>
              {title}
            </Title>
            {badge}
          </Group>
          {lead !== undefined && (
            <Text size="sm" c="dimmed" maw={860} component="div">
              {lead}
            </Text>
          )}
        </div>
        {actions !== undefined && actions !== false && (
          <Flex
            gap="xs"
            wrap="wrap"
            align="center"
            justify={{ base: 'flex-start', sm: 'flex-end' }}
            flex={{ sm: '0 1 auto' }}
            maw={{ sm: '50%' }}
          >
            {actions}
          </Flex>
        )}
      </Flex>
      {children}
      <Text size="xs" c="dimmed" className="times">
        {describeTimes()}
      </Text>
    </Stack>
  );
}

/** A part of a page with its own heading. */
export function Section({ title, lead, actions, children }: Omit<PageProps, 'badge'>) {
  return (
    <Stack component="section" gap="sm" id={toPartId(title)} className="part">
      <Group justify="space-between" align="flex-end">
        <div>
          <Title order={2} size="h4" tabIndex={-1}>
            {title}
          </Title>
          {lead !== undefined && lead !== false && (
            <Text size="sm" c="dimmed" maw={640} component="div">
              {lead}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

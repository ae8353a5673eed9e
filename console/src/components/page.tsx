import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { formatTitle } from '../installation.tsx';
import { ZONE_NOTE } from '../texts/time.ts';
import { toPartId } from './page-parts.tsx';

/** Whether this is the first page since the browser loaded the console. The first page does not take the focus. */
let isFirst = true;

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Buttons beside the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the console. It sets the tab's title, and its heading takes the focus for screen readers. */
export function Page({ title, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = formatTitle(title);
  }, [title]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={1} size="h2" ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {lead !== undefined && (
            <Text c="dimmed" maw={720} component="div">
              {lead}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
      <Text size="xs" c="dimmed">
        {ZONE_NOTE}
      </Text>
    </Stack>
  );
}

/** A part of a page with its own heading. */
export function Section({ title, lead, actions, children }: Omit<PageProps, 'title'> & { readonly title: string }) {
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

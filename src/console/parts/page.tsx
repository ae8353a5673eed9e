import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

/** Whether the page being shown is the first since the browser came here: then nothing takes the focus. */
let isFirst = true;

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** What can be done with all of it. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** One place of the console: named in the tab, and by a heading from which a screen reader goes on. */
export function Page({ title, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Console`;
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
    </Stack>
  );
}

/** A part of a page under its own heading. */
export function Section({ title, lead, actions, children }: Omit<PageProps, 'title'> & { readonly title: string }) {
  return (
    <Stack component="section" gap="sm">
      <Group justify="space-between" align="flex-end">
        <div>
          <Title order={2} size="h4">
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

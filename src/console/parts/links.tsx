import { ActionIcon, Anchor, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** To another place of the console. @param inText where only a line under it tells it from the words around it. */
export const To = ({ href, inText = false, children }: { href: string; inText?: boolean; children: ReactNode }) => (
  <Anchor component={Link} href={href} inherit underline={inText ? 'always' : 'hover'}>
    {children}
  </Anchor>
);

/** To the Temporal UI, in a tab of its own; nothing where no UI is configured. */
export const TemporalLink = ({ url, children }: { url: string | null; children: ReactNode }) =>
  url !== null && (
    <Anchor href={url} target="_blank" rel="noreferrer" inherit>
      {children} ↗
    </Anchor>
  );

/** An id, or anything else that people paste elsewhere. */
export const Copied = ({ text, what }: { text: string; what: string }) => (
  <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
    <Text ff="monospace" size="sm" component="span">
      {text}
    </Text>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
          <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={`Copy ${what}`}>
            <span aria-hidden>{copied ? '✓' : '⧉'}</span>
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  </Group>
);

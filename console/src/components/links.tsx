import { ActionIcon, Anchor, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** Links to another page of the console. @param isInline always underlines the link, to set it apart from its sentence. */
export const InternalLink = ({
  href,
  isInline = false,
  children,
}: {
  href: string;
  isInline?: boolean;
  children: ReactNode;
}) => (
  <Anchor component={Link} href={href} inherit underline={isInline ? 'always' : 'hover'}>
    {children}
  </Anchor>
);

/** Links to the Temporal UI in a new tab; empty if no UI is configured. */
export const TemporalLink = ({ url, children }: { url: string | null; children: ReactNode }) =>
  url !== null && (
    <Anchor href={url} target="_blank" rel="noreferrer" inherit>
      {children} ↗
    </Anchor>
  );

/** An id or URL with a copy button. */
export const CopyableText = ({ text, name }: { text: string; name: string }) => (
  <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
    <Text ff="monospace" size="sm" component="span">
      {text}
    </Text>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${name}`}>
          <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={`Copy ${name}`}>
            <CopyIcon isDone={copied} />
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  </Group>
);

const CopyIcon = ({ isDone }: { isDone: boolean }) => (
  <svg
    viewBox="0 0 16 16"
    width="14"
    height="14"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    aria-hidden="true"
  >
    {isDone ? <path d="M3 8.5l3.5 3.5L13 4.5" /> : <path d="M6 6h7v7H6zM10 6V3H3v7h3" />}
  </svg>
);

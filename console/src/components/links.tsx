import { ActionIcon, Anchor, Button, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Icon } from './icons.tsx';

/** Links to another page of the console. @param isInline always underlines the link, to set it apart from its sentence. */
export const InternalLink = ({
  href,
  isInline = false,
  state,
  children,
}: {
  href: string;
  isInline?: boolean;
  /** What the page needs and its URL must not contain. */
  state?: object;
  children: ReactNode;
}) => (
  <Anchor component={Link} href={href} {...(state && { state })} inherit underline={isInline ? 'always' : 'hover'}>
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
    <CopyIconButton text={text} name={name} />
  </Group>
);

/** Copies a text. @param name its kind: `the id` */
export const CopyIconButton = ({ text, name }: { text: string; name: string }) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? 'Copied' : `Copy ${name}`}>
        <ActionIcon size={24} variant="subtle" color="gray" onClick={copy} aria-label={`Copy ${name}`}>
          <Icon name={copied ? 'check' : 'copy'} size={14} />
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
);

/** The same with words instead of an icon. */
export const CopyTextButton = ({ text, label }: { text: string; label: string }) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <Button size="compact-sm" variant="subtle" onClick={copy}>
        {copied ? 'Copied' : label}
      </Button>
    )}
  </CopyButton>
);

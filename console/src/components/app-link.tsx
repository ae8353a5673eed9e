import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { shortenId } from '../texts/format.ts';
import { InternalLink } from './links.tsx';

interface AppLinkProps {
  readonly id: string;
  readonly name: string;
  /** Whether the link is part of a sentence. */
  readonly isInline?: boolean;
}

/** Links to an app by its name, in a table. Its id is a tooltip. */
export const AppCell = ({ id, name }: Omit<AppLinkProps, 'isInline'>) => (
  <span title={`${name}, ${id}`}>
    <Anchor component={Link} href={`/apps/${id}`} inherit underline="hover" c="inherit">
      {name}
    </Anchor>
  </span>
);

/** Links to an app. It shows the name and a short id, since two apps may have the same name. */
export const AppLink = ({ id, name, isInline = false }: AppLinkProps) => (
  <InternalLink href={`/apps/${id}`} isInline={isInline}>
    {name}{' '}
    <Text span size="xs" ff="monospace">
      {shortenId(id)}
    </Text>
  </InternalLink>
);

import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { InternalLink } from './links.tsx';

interface TileProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly href?: string;
}

/** A number with its label. */
export const Tile = ({ name, value, note, href }: TileProps) => (
  <Paper withBorder p="md">
    <Text size="sm" c="dimmed">
      {href === undefined ? name : <InternalLink href={href}>{name}</InternalLink>}
    </Text>
    <Text fz={{ base: 20, xs: 26 }} fw={650} lh={1.2}>
      {typeof value === 'number' ? value.toLocaleString('en') : value}
    </Text>
    {note !== undefined && (
      <Text size="sm" c="dimmed">
        {note}
      </Text>
    )}
  </Paper>
);

import { Text } from '@mantine/core';
import { To } from './links.tsx';

/** As much of an id as tells two things of one name apart. */
export const shortId = (id: string): string => id.slice(0, 8);

interface AppNameProps {
  readonly id: string;
  readonly name: string;
  /** Whether it stands among other words. */
  readonly inText?: boolean;
}

/** An app by its name, and by the beginning of its id: two may have the same name. */
export const AppName = ({ id, name, inText = false }: AppNameProps) => (
  <To href={`/apps/${id}`} inText={inText}>
    {name}{' '}
    <Text span size="xs" ff="monospace">
      {shortId(id)}
    </Text>
  </To>
);

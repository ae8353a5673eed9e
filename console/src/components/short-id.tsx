import { Text, Tooltip } from '@mantine/core';
import { shortenId } from '../texts/format.ts';
import { CopyIconButton, InternalLink } from './links.tsx';
import classes from './short-id.module.css';

interface ShortIdProps {
  readonly id: string;
  /** Makes the id a link. */
  readonly href?: string;
  /** The kind of thing that the id names: `connection`. */
  readonly of: string;
}

/** The first 8 characters of an id; all of it as a tooltip, and in the clipboard. The copy button shows in the row under the pointer or focus. */
export const ShortId = ({ id, href, of }: ShortIdProps) => (
  <span className="line" style={{ columnGap: 2 }}>
    <Tooltip label={id} events={{ hover: true, focus: true, touch: false }}>
      <Text span inherit ff="monospace">
        {href === undefined ? shortenId(id) : <InternalLink href={href}>{shortenId(id)}</InternalLink>}
      </Text>
    </Tooltip>
    <span className={classes.onDemand}>
      <CopyIconButton text={id} name={`the id of ${of} ${shortenId(id)}`} />
    </span>
  </span>
);

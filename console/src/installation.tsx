import { Badge } from '@mantine/core';
import type { InstallationColor } from '../../src/basics/codes.ts';

const meta = document.querySelector<HTMLMetaElement>('meta[name="installation"]');

/** The name of this installation, such as `Production`; empty if it has no name. The api writes it into the page. */
const INSTALLATION = meta?.content ?? '';

/** The title of a page, for the browser's tab. */
export const formatTitle = (page: string): string =>
  [page, 'Console', INSTALLATION].filter((part) => part !== '').join(' · ');

/** White text has a contrast of 4.9 or more on each, in light and dark. */
const GROUNDS: Readonly<Record<string, string>> = {
  gray: '#495057',
  red: '#c92a2a',
  orange: '#ad4408',
  yellow: '#855d00',
  green: '#2b7a3d',
  teal: '#087f5b',
  blue: '#1864ab',
  violet: '#5f3dc4',
  pink: '#a61e4d',
} satisfies Record<InstallationColor, string>;

/** The name of this installation in its color, so that production does not look like staging. */
export const InstallationBadge = () =>
  INSTALLATION !== '' && (
    <Badge
      tt="none"
      miw={0}
      maw={180}
      style={{ background: GROUNDS[meta?.dataset.color ?? ''] ?? GROUNDS.gray, color: '#fff' }}
    >
      {INSTALLATION}
    </Badge>
  );

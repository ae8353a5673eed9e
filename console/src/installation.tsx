import { Badge } from '@mantine/core';

const meta = document.querySelector<HTMLMetaElement>('meta[name="installation"]');

/** What operators call this installation, such as `Production`; empty if it has no name. The api writes it into the page. */
export const INSTALLATION = meta?.content ?? '';

/** The title of a page, for the browser's tab. */
export const formatTitle = (page: string): string =>
  [page, 'Console', INSTALLATION].filter((part) => part !== '').join(' · ');

/** The name of this installation in its color, so that nobody takes production for staging. */
export const InstallationBadge = () =>
  INSTALLATION !== '' && (
    <Badge color={meta?.dataset.color ?? 'gray'} variant="filled" autoContrast tt="none" miw={0} maw={180}>
      {INSTALLATION}
    </Badge>
  );

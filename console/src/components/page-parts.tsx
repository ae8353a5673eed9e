import { Anchor, Group } from '@mantine/core';
import { useEffect } from 'react';

/** The part of an address that names a part of a page: `Return URLs` as `return-urls`. */
export const toPartId = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** Links to the parts of a long page. An address with such a part opens there, once the page has its data. */
export function PageParts({ titles }: { titles: readonly string[] }) {
  useEffect(() => goToPart(window.location.hash.slice(1)), []);
  return (
    <Group component="nav" gap="md" aria-label="Parts of this page" className="parts">
      {titles.map((title) => (
        <Anchor key={title} href={`#${toPartId(title)}`} size="sm" onClick={() => goToPart(toPartId(title))}>
          {title}
        </Anchor>
      ))}
    </Group>
  );
}

function goToPart(id: string): void {
  const part = id === '' ? null : document.getElementById(id);
  if (part === null) return;
  part.scrollIntoView();
  part.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
}

import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';

/** The part of an address that names a part of a page: `Return URLs` as `return-urls`. */
export const toPartId = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

interface PageTab {
  readonly title: string;
  /** The sections of the tab that have an address of their own. */
  readonly parts?: readonly string[];
  readonly content: ReactNode;
}

/** The last two are wouter's own. */
const MOVES = ['hashchange', 'popstate', 'pushState', 'replaceState'];

function subscribe(listener: () => void): () => void {
  for (const move of MOVES) addEventListener(move, listener);
  return () => {
    for (const move of MOVES) removeEventListener(move, listener);
  };
}

/** The parts of a long page, one at a time. The address names the tab, or a section within it. */
export function PageTabs({ tabs }: { tabs: readonly PageTab[] }) {
  const hash = useSyncExternalStore(subscribe, () => location.hash.slice(1));
  const current =
    tabs.find(({ title, parts = [] }) => [title, ...parts].some((one) => toPartId(one) === hash)) ?? tabs[0];
  useEffect(() => {
    const part = document.getElementById(hash);
    if (part === null || current === undefined || toPartId(current.title) === hash) return;
    part.scrollIntoView();
    part.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
  }, [hash, current]);
  useEffect(() => {
    // On a phone the strip is wider than the page.
    const tab = current && document.querySelector('.tabs [aria-selected="true"]');
    tab?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <Tabs
      value={current?.title ?? null}
      onChange={(title) => title !== null && history.replaceState(history.state, '', `#${toPartId(title)}`)}
      keepMounted
      keepMountedMode="display-none" // Keeps the input, and the guard against losing it.
    >
      <Tabs.List aria-label="Parts of this page" className="tabs">
        {tabs.map(({ title }) => (
          <Tabs.Tab key={title} value={title}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ title, content }) => (
        <Tabs.Panel key={title} value={title} pt="md">
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

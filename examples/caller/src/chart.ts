import { html } from 'hono/html';
import type { ContentItem, MetricName } from 'social-account-connection-client';
import { current } from './components.ts';
import { countPosts, formatCount, formatDay, formatShortCount } from './format.ts';
import { METRICS } from './texts.ts';
import { DAY_MS, formatView, type View } from './window.ts';

/** The sum of a metric over posts; null if none has a count. Null is not zero. */
export const sumCounts = (posts: readonly ContentItem[], metric: MetricName): bigint | null =>
  posts
    .flatMap(({ metrics }) => metrics.find(({ name }) => name === metric)?.value ?? [])
    .reduce<bigint | null>((sum, value) => (sum ?? 0n) + BigInt(value), null);

/** One bar of the time axis, with its first and last day in UTC: `2026-11-03`. */
export type Bar = Readonly<{ first: string; last: string; posts: readonly ContentItem[] }>;

const toDay = (index: number) => new Date(index * DAY_MS).toISOString().slice(0, 10);

/** Groups the posts of a view by the days on which they were published. Days without posts have bars as well. */
export function groupByBar(posts: readonly ContentItem[], { days, until }: View): Bar[] {
  const step = days > 30 ? 3 : 1; // Wide enough to be pressed.
  const lastDay = Math.floor((until.getTime() - 1) / DAY_MS);
  const firstDay = Math.floor((until.getTime() - days * DAY_MS) / DAY_MS);
  const indexOf = (at: string) => Math.floor((Math.floor(Date.parse(at) / DAY_MS) - firstDay) / step);
  return Array.from({ length: Math.ceil((lastDay - firstDay + 1) / step) }, (_, index) => ({
    first: toDay(firstDay + index * step),
    last: toDay(Math.min(lastDay, firstDay + (index + 1) * step - 1)),
    posts: posts.filter(({ publishedAt }) => publishedAt !== null && indexOf(publishedAt) === index),
  }));
}

export const describeDays = ({ first, last }: Bar): string =>
  first === last ? formatDay(first) : `${formatDay(first)} to ${formatDay(last)}`;

const HEIGHT = 100;
const STEP = 10;
const TICKS = 4;

export function chart(bars: readonly Bar[], metric: MetricName, view: View) {
  const name = METRICS[metric].toLowerCase();
  const sums = bars.map(({ posts }) => sumCounts(posts, metric));
  const top = sums.reduce<bigint>((most, sum) => (sum !== null && sum > most ? sum : most), 0n);
  const ticks = Array.from({ length: TICKS }, (_, tick) => Math.round((tick * (bars.length - 1)) / (TICKS - 1)));
  const links = bars.map((bar, index) => {
    if (bar.posts.length === 0) return null;
    const sum = sums[index] ?? null;
    const height = sum === null || top === 0n ? 1 : Math.max(1, (Number(sum) / Number(top)) * HEIGHT);
    const [x, y] = [index * STEP, HEIGHT - height];
    const counted = sum === null ? `${name} not available` : `${formatCount(sum)} ${name}`;
    const text = `${describeDays(bar)}: ${counted}, ${countPosts(bar.posts.length)}`;
    const href = `${formatView(view, { isPinned: true, page: 0, bar: bar.first })}#list`;
    return html`<a href="${href}" aria-label="${text}" ${current(bar.first === view.bar)}>
      <title>${text}</title>
      <rect class="area" x="${x}" y="0" width="${STEP}" height="${HEIGHT}" />
      <rect class="${sum === null ? 'none' : 'count'}" x="${x + 1.5}" y="${y}" width="7" height="${height}" />
    </a>`;
  });
  return html`<div class="chart">
    <small>${formatShortCount(top)}</small>
    <svg viewBox="0 0 ${bars.length * STEP} ${HEIGHT}" preserveAspectRatio="none" role="group"
      aria-label="${METRICS[metric]} by the day of publication">${links}</svg>
    <p class="axis" aria-hidden="true">${ticks.map((index) => html`<span>${formatDay(bars[index]?.first ?? '')}</span>`)}</p>
  </div>`;
}

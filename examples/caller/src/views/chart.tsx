import type { FC } from 'hono/jsx';
import type { ContentItem, MetricName } from 'social-account-connection-client';
import { formatCount, formatDay, formatShortCount } from '../format.ts';
import { METRICS } from '../texts.ts';
import { DAY_MS, formatViewQuery, type Span, type View } from '../window.ts';

/** The count of a metric, or null if it is missing. Null is not zero. */
const getCount = (post: ContentItem, metric: MetricName): bigint | null => {
  const value = post.metrics.find(({ name }) => name === metric)?.value ?? null;
  return value === null ? null : BigInt(value);
};

/** The metrics with a count for at least one of the posts. */
export const listCountedMetrics = (posts: readonly ContentItem[]): MetricName[] =>
  (Object.keys(METRICS) as MetricName[]).filter((metric) => posts.some((post) => getCount(post, metric) !== null));

/** The sum of a metric over posts; null if none has a count. */
export const sumCounts = (posts: readonly ContentItem[], metric: MetricName): bigint | null =>
  posts.reduce<bigint | null>((sum, post) => {
    const count = getCount(post, metric);
    return count === null ? sum : (sum ?? 0n) + count;
  }, null);

/** One bar of the time axis. */
export interface Bar {
  /** Its first and last day, in UTC: `2026-11-03`. */
  readonly first: string;
  readonly last: string;
  readonly posts: readonly ContentItem[];
}

/** How many days a bar has, so that each can be pressed. */
const DAYS_OF_A_BAR: Readonly<Record<Span, number>> = { 7: 1, 30: 1, 90: 3 };

const toDay = (index: number) => new Date(index * DAY_MS).toISOString().slice(0, 10);

/** Groups the posts of a view by the days on which they were published. Days without posts have bars as well. */
export function groupByBar(posts: readonly ContentItem[], { days, until }: Pick<View, 'days' | 'until'>): Bar[] {
  const step = DAYS_OF_A_BAR[days];
  const lastDay = Math.floor((until.getTime() - 1) / DAY_MS);
  const firstDay = Math.floor((until.getTime() - days * DAY_MS) / DAY_MS);
  const bars = Array.from({ length: Math.ceil((lastDay - firstDay + 1) / step) }, (_, index) => ({
    first: toDay(firstDay + index * step),
    last: toDay(Math.min(lastDay, firstDay + (index + 1) * step - 1)),
    posts: [] as ContentItem[],
  }));
  for (const post of posts) {
    if (post.publishedAt === null) continue;
    bars[Math.floor((Math.floor(Date.parse(post.publishedAt) / DAY_MS) - firstDay) / step)]?.posts.push(post);
  }
  return bars;
}

/** Names the days of a bar, or of several. */
export const describeDays = ({ first, last }: Pick<Bar, 'first' | 'last'>): string =>
  first === last ? formatDay(first) : `${formatDay(first)} to ${formatDay(last)}`;

export const countPosts = (count: number): string => (count === 1 ? '1 post' : `${count} posts`);

const HEIGHT = 100;
const STEP = 10;
const WIDTH = 7;

/** The sums of a metric along the days of the view. A bar leads to its posts. */
export const Chart: FC<{ bars: readonly Bar[]; metric: MetricName; view: View }> = ({ bars, metric, view }) => {
  const sums = bars.map(({ posts }) => sumCounts(posts, metric));
  const top = sums.reduce<bigint>((most, sum) => (sum !== null && sum > most ? sum : most), 0n);
  const heightOf = (sum: bigint | null) =>
    sum === null || top === 0n ? 1 : Math.max(1, (Number(sum) / Number(top)) * HEIGHT);
  return (
    <div class="chart">
      <p class="axis">
        <span>{formatShortCount(top)}</span>
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of links inside a drawing. */}
      <svg
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="group"
        aria-label={`${METRICS[metric]} by the day of publication`}
      >
        {bars.map((bar, index) => {
          const sum = sums[index] ?? null;
          if (bar.posts.length === 0) return null;
          const text = describeBar(bar, metric, sum);
          return (
            <a
              href={`${formatViewQuery({ ...view, isPinned: true, page: 0, bar: bar.first })}#list`}
              aria-label={text}
              aria-current={bar.first === view.bar ? 'true' : undefined}
            >
              <title>{text}</title>
              <rect class="area" x={index * STEP} y="0" width={STEP} height={HEIGHT} />
              <rect
                class={sum === null ? 'none' : 'count'}
                x={index * STEP + (STEP - WIDTH) / 2}
                y={HEIGHT - heightOf(sum)}
                width={WIDTH}
                height={heightOf(sum)}
              />
            </a>
          );
        })}
      </svg>
      <p class="axis" aria-hidden="true">
        {pickTicks(bars).map(({ first }) => (
          <span>{formatDay(first)}</span>
        ))}
      </p>
    </div>
  );
};

/** @param sum null if no post of the bar has a count */
function describeBar({ posts, ...days }: Bar, metric: MetricName, sum: bigint | null): string {
  const name = METRICS[metric].toLowerCase();
  return `${describeDays(days)}: ${sum === null ? `${name} not available` : `${formatCount(sum)} ${name}`}, ${countPosts(posts.length)}`;
}

const TICKS = 4;

/** Bars at equal distances, from the first to the last. */
const pickTicks = (bars: readonly Bar[]): Bar[] =>
  Array.from({ length: TICKS }, (_, tick) => bars[Math.round((tick * (bars.length - 1)) / (TICKS - 1))]).filter(
    (bar) => bar !== undefined,
  );

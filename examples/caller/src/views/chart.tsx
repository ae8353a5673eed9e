import type { FC } from 'hono/jsx';
import type { ContentItem, MetricName } from 'social-account-connection-client';
import { formatCount, formatDate, formatShortCount, truncate } from '../format.ts';
import { METRICS } from '../texts.ts';
import { getPostTitle } from './post-card.tsx';

/** The count of a metric, or null if it is missing. Null is not zero. */
export const getCount = (post: ContentItem, metric: MetricName): bigint | null => {
  const value = post.metrics.find(({ name }) => name === metric)?.value ?? null;
  return value === null ? null : BigInt(value);
};

/** The metrics with a count for at least one of the posts. */
export const listCountedMetrics = (posts: readonly ContentItem[]): MetricName[] =>
  (Object.keys(METRICS) as MetricName[]).filter((metric) => posts.some((post) => getCount(post, metric) !== null));

const HEIGHT = 100;
const STEP = 10;
const BAR = 7;
/** The chart has room for at least this many bars, so few posts do not get wide bars. */
const MIN_BARS = 8;

/** One bar per post, oldest first. A label describes the chart; the list of posts also shows each count. */
export const Chart: FC<{ posts: readonly ContentItem[]; metric: MetricName }> = ({ posts, metric }) => {
  const bars = posts.toReversed().map((post) => ({ post, count: getCount(post, metric) }));
  const top = bars.reduce((most, { count }) => (count !== null && count > most ? count : most), 0n);
  const height = (count: bigint) => (top === 0n ? 0 : Math.max(1, (Number(count) / Number(top)) * HEIGHT));
  const first = bars[0]?.post.publishedAt;
  const last = bars.at(-1)?.post.publishedAt;
  return (
    <div class="chart">
      <p class="axis">
        <span>{formatShortCount(top)}</span>
      </p>
      <svg
        viewBox={`0 0 ${Math.max(MIN_BARS, bars.length) * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={describeBars(bars, metric)}
      >
        {bars.map(({ post, count }, index) => (
          <rect
            x={index * STEP + (STEP - BAR) / 2}
            y={count === null ? HEIGHT - 1 : HEIGHT - height(count)}
            width={BAR}
            height={count === null ? 1 : height(count)}
            class={count === null ? 'none' : 'count'}
          >
            <title>{`${getPostTitle(post)}: ${count === null ? 'not available' : formatCount(count)}`}</title>
          </rect>
        ))}
      </svg>
      <p class="axis">
        <span>{first ? formatDate(first) : ''}</span>
        <span>{last && last !== first ? formatDate(last) : ''}</span>
      </p>
    </div>
  );
};

function describeBars(bars: readonly { post: ContentItem; count: bigint | null }[], metric: MetricName): string {
  const counted = bars.flatMap(({ post, count }) => (count === null ? [] : [{ post, count }]));
  const best = counted.reduce<(typeof counted)[number] | undefined>(
    (most, bar) => (most === undefined || bar.count > most.count ? bar : most),
    undefined,
  );
  const missing = bars.length - counted.length;
  return [
    `${METRICS[metric]} of ${bars.length} posts, oldest first.`,
    best ? `Most: ${formatCount(best.count)}, “${truncate(getPostTitle(best.post), 60)}”.` : '',
    missing > 0 ? `Not available for ${missing}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

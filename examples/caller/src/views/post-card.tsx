import type { FC } from 'hono/jsx';
import type { ContentItem, ContentKind, MetricName } from 'social-account-connection-client';
import { formatDate, formatShortCount, truncate } from '../format.ts';
import { describeReason, KINDS, METRICS } from '../texts.ts';

/** The title of a post, or its text: some providers have no titles, and some posts have no text. */
export function getPostTitle(
  { title, description, kind }: Pick<ContentItem, 'title' | 'description' | 'kind'>,
  length = 90,
): string {
  const text = title?.trim() || description?.trim();
  return text ? truncate(text, length) : `Untitled ${KINDS[kind].toLowerCase()}`;
}

/** The preview image, over an icon of the kind that shows if the image is missing or expired. */
export const Thumbnail: FC<{ post: Pick<ContentItem, 'thumbnailUrl' | 'kind'>; eager?: boolean }> = (props) => {
  const { thumbnailUrl, kind } = props.post;
  return (
    <span class={`picture ${kind}`}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={KIND_ICONS[kind]} />
      </svg>
      {thumbnailUrl !== null && (
        <img src={thumbnailUrl} alt="" referrerpolicy="no-referrer" loading={props.eager ? 'eager' : 'lazy'} />
      )}
      <span class="kind">{KINDS[kind]}</span>
    </span>
  );
};

const KIND_ICONS: Readonly<Record<ContentKind, string>> = {
  VIDEO: 'M9 7.5v9l7-4.5z',
  IMAGE: 'M5 6h14v12H5zM5 15l4-4 4 4 2-2 4 4',
  CAROUSEL: 'M4 7h11v10H4zM17.5 8.5v7M20 10v6',
  UNKNOWN: 'M6 12h.01M12 12h.01M18 12h.01',
};

/** Longer than the three lines of a card; the style sheet cuts the rest. */
const CARD_LENGTH = 200;

/** Sorts a post’s metrics in the same order for all providers. */
export const sortMetrics = (post: ContentItem): readonly ContentItem['metrics'][number][] =>
  (Object.keys(METRICS) as MetricName[]).flatMap((name) => post.metrics.filter((metric) => metric.name === name));

export const PostCard: FC<{ post: ContentItem; href: string }> = ({ post, href }) => (
  <article class="post">
    <Thumbnail post={post} />
    <div class="text">
      <h3 dir="auto">
        <a href={href}>{getPostTitle(post, CARD_LENGTH)}</a>
      </h3>
      <p class="soft small">
        {post.publishedAt === null ? '' : <time datetime={post.publishedAt}>{formatDate(post.publishedAt)}</time>}
      </p>
      {post.availability !== 'AVAILABLE' && <p class="soft small">{describeReason(post.reason)}</p>}
      <dl class="counts">
        {sortMetrics(post)
          .filter(({ availability }) => availability !== 'UNSUPPORTED')
          .map((metric) => (
            <div>
              <dt>{METRICS[metric.name]}</dt>
              <dd>
                {metric.value === null ? (
                  <span title={describeReason(metric.reason)}>
                    <span aria-hidden="true">–</span>
                    <span class="hidden">{describeReason(metric.reason)}</span>
                  </span>
                ) : (
                  formatShortCount(metric.value)
                )}
              </dd>
            </div>
          ))}
      </dl>
    </div>
  </article>
);

import type { FC } from 'hono/jsx';
import type { Connection, ContentItem, MetricName } from 'social-account-connection-client';
import { ServiceError } from 'social-account-connection-client';
import { formatDate, formatShortCount } from '../format.ts';
import type { WindowPosts } from '../read-window.ts';
import { describeIncomplete, METRICS } from '../texts.ts';
import { formatViewQuery, SPANS, toNewest, type View } from '../window.ts';
import { type Bar, Chart, countPosts, describeDays, groupByBar, listCountedMetrics, sumCounts } from './chart.tsx';
import { ActionForm, DateTime, RefusalNote } from './components.tsx';
import { canRead, MissingPermission } from './permissions.tsx';
import { PostCard } from './post-card.tsx';

const POSTS_PER_PAGE = 12;

export interface PostsView {
  readonly account: Connection;
  readonly view: View;
  /** Undefined if the account does not allow reading posts. */
  readonly content: WindowPosts | ServiceError | undefined;
  /** Whether a scan is running, or waits for the person to continue it. */
  readonly isScanOpen: boolean;
}

/** The posts of a period: their totals, the chart and the list. */
export const PostSection: FC<{ it: PostsView }> = ({ it }) => {
  const { account, content, view } = it;
  if (content === undefined) return <MissingPermission account={account} capability="CONTENT_LIST" />;
  return (
    <section aria-labelledby="posts-title">
      <div class="bar-line">
        <h2 id="posts-title">Posts</h2>
        <nav class="switch" aria-label="Days shown">
          {SPANS.map((days) => (
            <a
              href={formatViewQuery({ ...toNewest(view), days })}
              aria-current={days === view.days ? 'page' : undefined}
            >
              {days} days
            </a>
          ))}
        </nav>
        <ActionForm
          action={`/connections/${account.id}/refresh`}
          label="Refresh"
          about={`Refresh the posts of the last ${view.days} days`}
          values={{ days: String(view.days) }}
        />
      </div>
      {content instanceof ServiceError ? <RefusalNote error={content} /> : <Posts it={it} content={content} />}
    </section>
  );
};

const Posts: FC<{ it: PostsView; content: WindowPosts }> = ({ it, content }) => {
  const { account, view } = it;
  const bars = groupByBar(content.items, view);
  const bar = bars.find(({ first }) => first === view.bar);
  return (
    <>
      <p class="soft">
        {account.lastSuccessfulSyncAt !== null && (
          <>
            Last refreshed <DateTime instant={account.lastSuccessfulSyncAt} />.{' '}
          </>
        )}
        {content.completeForWindow
          ? `We have read all posts of ${describePeriod(view)}.`
          : describeIncomplete(content.incompleteReason)}
        {!content.completeForWindow && !it.isScanOpen && ' Press Refresh to read them.'}
      </p>
      {canRead(account, 'CONTENT_METRICS') ? (
        <Totals content={content} bars={bars} view={view} />
      ) : (
        <MissingPermission account={account} capability="CONTENT_METRICS" />
      )}
      <PostList account={account} content={content} bar={bar} view={view} />
    </>
  );
};

const describePeriod = ({ days, until, isPinned }: View): string =>
  isPinned ? `the ${days} days before ${formatDate(until.toISOString())}` : `the last ${days} days`;

const Totals: FC<{ content: WindowPosts; bars: readonly Bar[]; view: View }> = ({ content, bars, view }) => {
  const { items, isCut } = content;
  const shown = listCountedMetrics(items);
  const metric = view.metric !== undefined && shown.includes(view.metric) ? view.metric : shown[0];
  if (metric === undefined) return null;
  return (
    <figure class="card figures">
      <figcaption>
        <p class="soft small">
          Totals of {isCut ? `the newest ${items.length} posts` : countPosts(items.length)} of {describePeriod(view)}
          {describeUncounted(items, metric)}
        </p>
        <nav class="tiles" aria-label="Metric in the chart">
          {shown.map((name) => (
            <a href={formatViewQuery({ ...view, metric: name })} aria-current={name === metric ? 'true' : undefined}>
              <span>{METRICS[name]}</span>
              <strong>{formatShortCount(sumCounts(items, name) ?? 0n)}</strong>
            </a>
          ))}
        </nav>
      </figcaption>
      <Chart bars={bars} metric={metric} view={view} />
    </figure>
  );
};

function describeUncounted(posts: readonly ContentItem[], metric: MetricName): string {
  const missing = posts.filter((post) => sumCounts([post], metric) === null).length;
  return missing === 0 ? '.' : `. ${METRICS[metric]}: not available for ${missing}.`;
}

/** One page of the posts: of all, or of one bar of the chart. */
const PostList: FC<{ account: Connection; content: WindowPosts; bar: Bar | undefined; view: View }> = (props) => {
  const { account, content, bar, view } = props;
  const posts = bar?.posts ?? content.items;
  const lastPage = Math.max(0, Math.ceil(posts.length / POSTS_PER_PAGE) - 1);
  const page = Math.min(view.page, lastPage);
  const shown = posts.slice(page * POSTS_PER_PAGE, (page + 1) * POSTS_PER_PAGE);
  const oldest = content.items.at(-1)?.publishedAt;
  const goTo = (number: number) => formatViewQuery({ ...view, isPinned: true, page: number });
  return (
    <div id="list">
      {bar !== undefined && (
        <p class="bar-line">
          <strong class="grow">
            {countPosts(posts.length)} of {describeDays(bar)}
          </strong>
          <a href={formatViewQuery({ ...view, page: 0, bar: undefined })}>Show all posts</a>
        </p>
      )}
      {shown.length === 0 ? (
        <p class="empty">No posts in this period{content.completeForWindow ? '.' : ' yet.'}</p>
      ) : (
        <div class="posts">
          {shown.map((post) => (
            <PostCard
              post={post}
              href={`/connections/${account.id}/posts/${encodeURIComponent(post.providerContentId)}`}
            />
          ))}
        </div>
      )}
      <nav class="row" aria-label="More posts">
        {view.isPinned && (page > 0 || view.bar === undefined) && (
          <a class="button" href={formatViewQuery(toNewest(view))}>
            Newest posts
          </a>
        )}
        {page > 0 && (
          <a class="button" href={goTo(page - 1)} rel="prev">
            Newer posts
          </a>
        )}
        {page < lastPage && (
          <a class="button" href={goTo(page + 1)} rel="next">
            Older posts
          </a>
        )}
        {page === lastPage && bar === undefined && content.isCut && oldest && (
          <a
            class="button"
            href={formatViewQuery({ ...view, until: new Date(oldest), isPinned: true, page: 0 })}
            rel="next"
          >
            Older posts
          </a>
        )}
        {lastPage > 0 && (
          <span class="soft">
            Page {page + 1} of {lastPage + 1}
          </span>
        )}
      </nav>
    </div>
  );
};

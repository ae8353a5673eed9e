import { html } from 'hono/html';
import { type Connection, ServiceError } from 'social-account-connection-client';
import { type Bar, chart, describeDays, groupByBar, sumCounts } from '../chart.ts';
import { actionForm, current, dateTime, type Html, mark, refusalNote } from '../components.ts';
import { countPosts, formatDate, formatShortCount } from '../format.ts';
import { canRead, missingPermission } from '../permissions.ts';
import { ALL_METRICS, describeIncomplete, METRICS } from '../texts.ts';
import { formatView, NEWEST, SPANS, type View, type WindowPosts } from '../window.ts';
import { postCard } from './post.ts';

const POSTS_PER_PAGE = 12;
/** Undefined if the account does not allow reading posts. */
type Content = WindowPosts | ServiceError | undefined;

interface Shown {
  /** Whether a scan runs, or waits for the person to continue it. */
  readonly isScanOpen: boolean;
  /** Whether the platform's terms allow to add up its counts. */
  readonly hasTotals: boolean;
}

/** The totals, the chart and the list. */
export function postSection(account: Connection, view: View, content: Content, { isScanOpen, hasTotals }: Shown): Html {
  if (content === undefined) return missingPermission(account, 'CONTENT_LIST');
  const { days } = view;
  const about = `Refresh the posts of the last ${days} days`;
  const spans = SPANS.map((span) => {
    const href = formatView(view, { ...NEWEST, days: span });
    return html`<a href="${href}" ${current(span === days)}>${span} days</a>`;
  });
  return html`<section>
    <div class="bar-line">
      <h2>Posts</h2>
      <nav class="switch" aria-label="Days shown">${spans}</nav>
      ${actionForm(`/connections/${account.id}/refresh`, 'Refresh', { about, days })}
    </div>
    ${content instanceof ServiceError ? refusalNote(content) : posts(account, view, content, { isScanOpen, hasTotals })}
  </section>`;
}

function posts(account: Connection, view: View, content: WindowPosts, { isScanOpen, hasTotals }: Shown) {
  const { completeForWindow, incompleteReason, items } = content;
  const bars = groupByBar(items, view);
  const chosen = bars.find(({ first }) => first === view.bar);
  const { lastSuccessfulSyncAt: readAt } = account;
  const isPartial = isPartlyRead(content);
  return html`<p class="soft">
      ${readAt && html`Last refreshed ${dateTime(readAt)}.`}
      ${completeForWindow ? `We have read all posts of ${describePeriod(view)}.` : describeIncomplete(incompleteReason, account.provider)}
      ${!completeForWindow && !isScanOpen && 'Press Refresh to read them.'}
      ${hasTotals && isPartial && 'Totals appear once the whole period is read.'}
    </p>
    ${canRead(account, 'CONTENT_METRICS') ? hasTotals && !isPartial && totals(account, content, bars, view) : missingPermission(account, 'CONTENT_METRICS')}
    ${postList(account.id, content, chosen, view, isScanOpen)}`;
}

/** Whether only some days or posts of the period are read: a sum of these would look like the period's. */
const isPartlyRead = ({ incompleteReason }: WindowPosts): boolean =>
  ['NEVER_SCANNED', 'PARTLY_SCANNED', 'MAX_ITEMS'].includes(incompleteReason ?? '');

const describePeriod = ({ days, until, isPinned }: View): string =>
  isPinned ? `the ${days} days before ${formatDate(until.toISOString())}` : `the last ${days} days`;

function totals({ provider }: Connection, { items, isCut }: WindowPosts, bars: readonly Bar[], view: View): Html {
  const shown = ALL_METRICS.filter((name) => sumCounts(items, name) !== null);
  const metric = shown.find((name) => name === view.metric) ?? shown[0];
  if (metric === undefined) return null;
  const missing = items.filter((post) => sumCounts([post], metric) === null).length;
  const uncounted = missing > 0 && ` ${METRICS[metric]}: not available for ${missing}.`;
  const counted = isCut ? `the newest ${items.length} posts` : countPosts(items.length);
  return html`<article>
    <small>
      Totals of ${counted} of ${describePeriod(view)}.${uncounted} Added up by Demo Studio from the counts of ${mark(provider)}, which
      does not publish these totals.
    </small>
    <nav class="tiles" aria-label="Metric in the chart">
      ${shown.map((name) => {
        const sum = formatShortCount(sumCounts(items, name) ?? 0n);
        const href = formatView(view, { metric: name });
        const text = html`<span>${METRICS[name]}</span><strong>${sum}</strong>`;
        return html`<a href="${href}" ${current(name === metric)}>${text}</a>`;
      })}
    </nav>
    ${chart(bars, metric, view)}
  </article>`;
}

function postList(connectionId: string, content: WindowPosts, bar: Bar | undefined, view: View, isScanOpen: boolean) {
  const listed = bar?.posts ?? content.items;
  const lastPage = Math.max(0, Math.ceil(listed.length / POSTS_PER_PAGE) - 1);
  const page = Math.min(view.page, lastPage);
  const shown = listed.slice(page * POSTS_PER_PAGE, (page + 1) * POSTS_PER_PAGE);
  const oldest = content.items.at(-1)?.publishedAt;
  const goTo = (text: string, rel: 'first' | 'prev' | 'next', changes: Partial<View>) =>
    html`<a class="button" href="${formatView(view, changes)}" rel="${rel}">${text}</a>`;
  const isCut = page === lastPage && bar === undefined && content.isCut && oldest;
  const all = html`<a href="${formatView(view, { page: 0, bar: undefined })}">Show all posts</a>`;
  const days = bar && html`<strong>${countPosts(listed.length)} of ${describeDays(bar)}</strong>`;
  // While a scan runs, the lines above have its state.
  const none =
    !isScanOpen && html`<p class="empty">No posts in this period${content.completeForWindow ? '.' : ' yet.'}</p>`;
  return html`<div id="list">
    ${days && html`<p class="bar-line">${days} ${all}</p>`}
    ${shown.length === 0 ? none : html`<div class="posts">${shown.map((post) => postCard(connectionId, post))}</div>`}
    <nav class="row" aria-label="More posts">
      ${view.isPinned && (page > 0 || view.bar === undefined) && goTo('Newest posts', 'first', NEWEST)}
      ${page > 0 && goTo('Newer posts', 'prev', { isPinned: true, page: page - 1 })}
      ${page < lastPage && goTo('Older posts', 'next', { isPinned: true, page: page + 1 })}
      ${isCut && goTo('Older posts', 'next', { until: new Date(isCut), isPinned: true, page: 0 })}
      ${lastPage > 0 && html`<span class="soft">Page ${page + 1} of ${lastPage + 1}</span>`}
    </nav>
  </div>`;
}

import { html } from 'hono/html';
import { type ContentItem, type ContentKind, ServiceError, type SyncJob } from 'social-account-connection-client';
import * as ui from '../components.ts';
import { catchRefusal, newRoutes, redirectWithError, requireUser, type Studio, toVisit } from '../context.ts';
import { formatCount, formatDate, formatShortCount, toWebUrl, truncate } from '../format.ts';
import { renderPage } from '../layout.ts';
import { ALL_METRICS, describeJobError, describeReason, KINDS, METRICS, PROVIDERS } from '../texts.ts';

const PATH = '/connections/:id/posts/:post';

export const getPostPath = (connectionId: string, providerContentId: string) =>
  `/connections/${connectionId}/posts/${encodeURIComponent(providerContentId)}`;

/** The page of one post, and the refresh of its metrics. */
export function postRoutes({ config, service }: Studio) {
  const routes = newRoutes();

  routes.get(PATH, async (c) => {
    const { scope } = requireUser(c);
    const { id: connectionId, post: providerContentId } = c.req.param();
    const id = c.req.query('job');
    const [post, answer] = await Promise.all([
      service.contentItem({ scope, connectionId, providerContentId }),
      id === undefined ? undefined : catchRefusal(service.syncJob({ scope, connectionId, id })),
    ]);
    if (post === null) throw new ServiceError('NOT_FOUND', 'The service has not read this post.');
    const job = answer instanceof ServiceError ? undefined : answer;
    const body = postPage(connectionId, post, toWebUrl(toVisit(config, post.canonicalUrl)), job);
    return renderPage(c, { title: getPostTitle(post), pollSeconds: ui.isJobRunning(job) && 1 }, body);
  });

  routes.post(`${PATH}/refresh`, async (c) => {
    const { scope } = requireUser(c);
    const { id: connectionId, post: providerContentId } = c.req.param();
    const path = getPostPath(connectionId, providerContentId);
    const asked = await catchRefusal(service.requestRefresh({ scope, connectionId, providerContentId }));
    if (asked instanceof ServiceError) return redirectWithError(c, path, asked);
    return c.redirect(`${path}?job=${asked.id}`, 303);
  });

  return routes;
}

/** The title of a post, or its text: some providers have no titles, and some posts have no text. */
function getPostTitle({ title, description, kind }: ContentItem, length = 90): string {
  const text = title?.trim() || description?.trim();
  return text ? truncate(text, length) : `Untitled ${KINDS[kind].toLowerCase()}`;
}

/** A post’s metrics, in the same order for all providers. */
const sortMetrics = (post: ContentItem) =>
  ALL_METRICS.flatMap((name) => post.metrics.filter((metric) => metric.name === name));

const KIND_ICONS: Readonly<Record<ContentKind, string>> = {
  VIDEO: 'M9 7.5v9l7-4.5z',
  IMAGE: 'M5 6h14v12H5zM5 15l4-4 4 4 2-2 4 4',
  CAROUSEL: 'M4 7h11v10H4zM17.5 8.5v7M20 10v6',
  UNKNOWN: 'M6 12h.01M12 12h.01M18 12h.01',
};

/** The preview image, over an icon of the kind that shows if the image is missing or expired. */
const thumbnail = ({ thumbnailUrl, kind }: ContentItem, loading: 'eager' | 'lazy') =>
  html`<span class="picture">
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="${KIND_ICONS[kind]}" /></svg>
    ${ui.image(thumbnailUrl, loading)} <span>${KINDS[kind]}</span>
  </span>`;

/** Longer than the three lines of a card; the style sheet cuts the rest. */
const CARD_LENGTH = 200;

export function postCard(connectionId: string, post: ContentItem) {
  const { publishedAt: at, availability, reason, providerContentId: id } = post;
  const metrics = sortMetrics(post).filter((metric) => metric.availability !== 'UNSUPPORTED');
  return html`<article class="post">
    ${thumbnail(post, 'lazy')}
    <div>
      <h3 dir="auto"><a href="${getPostPath(connectionId, id)}">${getPostTitle(post, CARD_LENGTH)}</a></h3>
      ${at && html`<small><time datetime="${at}">${formatDate(at)}</time></small>`}
      ${availability !== 'AVAILABLE' && html`<small>${describeReason(reason)}</small>`}
      <dl>${metrics.map(metricOfCard)}</dl>
    </div>
  </article>`;
}

function metricOfCard({ name, value, reason }: ContentItem['metrics'][number]) {
  const why = describeReason(reason);
  const none = html`<span title="${why}"><span aria-hidden="true">–</span><span class="hidden">${why}</span></span>`;
  return html`<div><dt>${METRICS[name]}</dt><dd>${value === null ? none : formatShortCount(value)}</dd></div>`;
}

function postPage(connectionId: string, post: ContentItem, url: string | undefined, job: SyncJob | undefined) {
  const title = getPostTitle(post);
  const text = post.description?.trim();
  const { name } = PROVIDERS[post.provider];
  const action = `${getPostPath(connectionId, post.providerContentId)}/refresh`;
  return html`${ui.backLink(`/connections/${connectionId}`, 'Account')}
    <div class="one-post">
      ${thumbnail(post, 'eager')}
      <div>
        <p class="soft">
          ${KINDS[post.kind]} at ${name} ${post.publishedAt && html`· ${ui.dateTime(post.publishedAt)}`}
        </p>
        <h1 dir="auto">${title}</h1>
        ${text && text !== title && html`<p class="bio" dir="auto">${text}</p>`}
        ${post.availability !== 'AVAILABLE' && html`<p class="callout wait">${describeReason(post.reason)}</p>`}
        ${url && html`<p>${ui.externalLink(url, `Open at ${name}`)}</p>`}
        <div class="bar-line">
          <h2>Metrics</h2>
          ${ui.actionForm(action, 'Refresh', { about: 'Refresh the metrics of this post' })}
        </div>
        ${ui.live('progress', jobStatus(job), 'polite')} ${ui.live('metrics', metricList(post))}
      </div>
    </div>`;
}

function jobStatus(job: SyncJob | undefined): ui.Html {
  if (job === undefined || job.status === 'SUCCEEDED') return null;
  if (ui.isJobRunning(job)) return ui.jobProgress(job, 'Reading the metrics');
  return job.status === 'FAILED' && html`<p class="callout bad">${describeJobError(job.errorCode)}</p>`;
}

function metricList(post: ContentItem) {
  const metrics = sortMetrics(post).map(({ name, value, reason }) => {
    const shown = value === null ? html`<small>${describeReason(reason)}</small>` : formatCount(value);
    return html`<div><dt>${METRICS[name]}</dt><dd>${shown}</dd></div>`;
  });
  const readAt = post.metrics[0]?.observedAt ?? post.observedAt;
  return metrics.length === 0
    ? html`<p class="soft">This post has no metrics.</p>`
    : html`<dl class="numbers">${metrics}</dl><small>Last read ${ui.dateTime(readAt)}</small>`;
}

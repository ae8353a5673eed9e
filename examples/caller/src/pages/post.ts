import { html } from 'hono/html';
import * as api from 'social-account-connection-client';
import * as ui from '../components.ts';
import * as context from '../context.ts';
import { formatCount, formatDate, formatShortCount, truncate } from '../format.ts';
import { renderPage } from '../layout.ts';
import type { Session } from '../sessions.ts';
import * as texts from '../texts.ts';

const PATH = '/connections/:id/posts/:post';
const LOOKUPS = '/connections/:id/lookups';
const UNUSABLE_URL = 'This is not the URL of a post. It must start with https:// and lead to the page of one post.';
const MAX_URL_LENGTH = 2048;

const getPostPath = (connectionId: string, providerContentId: string) =>
  `/connections/${connectionId}/posts/${encodeURIComponent(providerContentId)}`;

/** The page of one post, the refresh of its metrics, and the lookup of a post by its URL. */
export function postRoutes({ config, service }: context.Studio) {
  const routes = context.newRoutes();

  routes.get(PATH, async (c) => {
    const { key, connectionId } = context.requireAccount(c);
    const id = c.req.query('job');
    const [post, job] = await Promise.all([
      service.contentItem({ ...key, providerContentId: c.req.param('post') }),
      id === undefined ? undefined : context.unlessRefused(service.syncJob({ ...key, id })),
    ]);
    if (post === null) throw new api.ServiceError('NOT_FOUND', 'The service has not read this post.');
    const body = postPage(connectionId, post, context.toLink(config, post.canonicalUrl), job);
    return renderPage(c, { title: getPostTitle(post), pollSeconds: ui.isJobRunning(job) && 1 }, body);
  });

  routes.post(`${PATH}/refresh`, async (c) => {
    const { key, connectionId } = context.requireAccount(c);
    const providerContentId = c.req.param('post');
    const path = getPostPath(connectionId, providerContentId);
    const asked = await context.catchRefusal(service.requestRefresh({ ...key, providerContentId }));
    if (asked instanceof api.ServiceError) return context.redirectWithError(c, path, asked);
    return c.redirect(`${path}?job=${asked.id}`, 303);
  });

  routes.post(LOOKUPS, async (c) => {
    const { session, key, connectionId, path } = context.requireAccount(c);
    const url = ((await context.readFields(c)).url ?? '').trim();
    session.lookup = { connectionId, url: url.slice(0, MAX_URL_LENGTH) };
    const asked = await context.catchRefusal(service.requestContentLookup({ ...key, url: url.replace(/#.*$/, '') }));
    if (asked instanceof api.ServiceError) return context.redirectWithError(c, path, asked, UNUSABLE_URL);
    return c.redirect(`${path}/lookups/${asked.id}`, 303);
  });

  routes.get(`${LOOKUPS}/:job`, async (c) => {
    const { session, key, known, connectionId, path } = context.requireAccount(c);
    const job = await service.syncJob({ ...key, id: c.req.param('job') });
    if (job.status === 'SUCCEEDED' && job.resultProviderContentId !== null) {
      session.lookup = undefined;
      const found = getPostPath(connectionId, job.resultProviderContentId);
      if (job.incompleteReason === null) return c.redirect(found, 303);
      // A lookup can succeed for an unavailable post; the job then has the reason.
      return context.redirectTo(c, found, {
        mood: 'plain',
        text: texts.describeReason(job.incompleteReason, known?.provider),
      });
    }
    const isRunning = ui.isJobRunning(job);
    const title = html`<span id="heading" data-live>${isRunning ? 'Looking up the post' : 'Post not found'}</span>`;
    const form = !isRunning && lookupForm(connectionId, session.lookup);
    const content = html`${ui.live('progress', describeProgress(job, known?.provider), 'polite')} ${ui.live('again', form)}
      <a href="${path}">Back to the account</a>`;
    return renderPage(c, { title: 'Looking up a post', pollSeconds: isRunning && 1 }, ui.message(title, content));
  });

  return routes;
}

/** The title of a post, or its text: some providers have no titles, and some posts have no text. */
function getPostTitle({ title, description, kind }: api.ContentItem, length = 90): string {
  const text = title?.trim() || description?.trim();
  return text ? truncate(text, length) : `Untitled ${texts.KINDS[kind].toLowerCase()}`;
}

/** A post’s metrics, in the same order for all providers. */
const sortMetrics = (post: api.ContentItem) =>
  texts.ALL_METRICS.flatMap((name) => post.metrics.filter((metric) => metric.name === name));

const KIND_ICONS: Readonly<Record<api.ContentKind, string>> = {
  VIDEO: 'M9 7.5v9l7-4.5z',
  IMAGE: 'M5 6h14v12H5zM5 15l4-4 4 4 2-2 4 4',
  CAROUSEL: 'M4 7h11v10H4zM17.5 8.5v7M20 10v6',
  UNKNOWN: 'M6 12h.01M12 12h.01M18 12h.01',
};

/** The preview image, over an icon of the kind that shows if the image is missing or expired. */
const thumbnail = ({ thumbnailUrl, kind }: api.ContentItem, loading: 'eager' | 'lazy') =>
  html`<span class="picture">
    <svg viewBox="0 0 24 24" stroke-linejoin="round" aria-hidden="true"><path d="${KIND_ICONS[kind]}" /></svg>
    ${ui.image(thumbnailUrl, loading)} <span>${texts.KINDS[kind]}</span>
  </span>`;

/** Longer than the three lines of a card; the style sheet cuts the rest. */
const CARD_LENGTH = 200;

export function postCard(connectionId: string, post: api.ContentItem) {
  const { publishedAt: at, availability, reason, providerContentId: id } = post;
  const metrics = sortMetrics(post).filter((metric) => metric.availability !== 'UNSUPPORTED');
  return html`<article class="post">
    ${thumbnail(post, 'lazy')}
    <div>
      <h3 dir="auto"><a href="${getPostPath(connectionId, id)}">${getPostTitle(post, CARD_LENGTH)}</a></h3>
      <small>${ui.mark(post.provider)} ${at && html`· <time datetime="${at}">${formatDate(at)}</time>`}</small>
      ${availability !== 'AVAILABLE' && html`<small>${texts.describeReason(reason, post.provider)}</small>`}
      <dl>${metrics.map((one) => metricOfCard(one, post.provider))}</dl>
    </div>
  </article>`;
}

function metricOfCard({ name, value, reason }: api.ContentItem['metrics'][number], provider: api.SocialProvider) {
  const why = texts.describeReason(reason, provider);
  const none = html`<span title="${why}"><span aria-hidden="true">–</span><span class="hidden">${why}</span></span>`;
  return metric(name, value === null ? none : formatShortCount(value));
}

const metric = (name: api.MetricName, shown: ui.Html) =>
  html`<div><dt>${texts.METRICS[name]}</dt><dd>${shown}</dd></div>`;

function postPage(connectionId: string, post: api.ContentItem, url: string | undefined, job: api.SyncJob | undefined) {
  const title = getPostTitle(post);
  const { description, publishedAt: at } = post;
  const text = description?.trim();
  const { name } = texts.PROVIDERS[post.provider];
  const action = `${getPostPath(connectionId, post.providerContentId)}/refresh`;
  return html`${ui.backLink(`/connections/${connectionId}`, 'Account')}
    <div class="one-post">
      ${thumbnail(post, 'eager')}
      <div>
        <p class="soft">${texts.KINDS[post.kind]} at ${name} ${at && html`· ${ui.dateTime(at)}`}</p>
        <h1 dir="auto">${title}</h1>
        ${text && text !== title && html`<p class="bio" dir="auto">${text}</p>`}
        ${post.availability !== 'AVAILABLE' && ui.callout('wait', texts.describeReason(post.reason, post.provider))}
        ${url && html`<p>${ui.externalLink(url, `Open at ${name}`)}</p>`}
        <div class="bar-line">
          <h2>Metrics</h2>
          ${ui.actionForm(action, 'Refresh', { about: 'Refresh the metrics of this post' })}
        </div>
        ${ui.live('progress', jobStatus(job, post.provider), 'polite')} ${ui.live('metrics', metricList(post))}
      </div>
    </div>`;
}

function jobStatus(job: api.SyncJob | undefined, provider: api.SocialProvider): ui.Html {
  if (job === undefined || job.status === 'SUCCEEDED') return null;
  if (ui.isJobRunning(job)) return ui.jobProgress(job, 'Reading the metrics', provider);
  return job.status === 'FAILED' && ui.callout('bad', texts.describeJobError(job.errorCode, provider));
}

function metricList(post: api.ContentItem) {
  const metrics = sortMetrics(post).map(({ name, value, reason }) => {
    return metric(
      name,
      value === null ? html`<small>${texts.describeReason(reason, post.provider)}</small>` : formatCount(value),
    );
  });
  const readAt = post.metrics[0]?.observedAt ?? post.observedAt;
  return metrics.length === 0
    ? html`<p class="soft">This post has no metrics.</p>`
    : html`<dl class="numbers">${metrics}</dl><small>Last read ${ui.dateTime(readAt)}</small>`;
}

function describeProgress(job: api.SyncJob, provider: api.SocialProvider | undefined) {
  const isLimit = job.incompleteReason === 'PROVIDER_LIMIT';
  const why = isLimit ? texts.describeLookupLimit(provider) : texts.describeJobError(job.errorCode, provider);
  if (!ui.isJobRunning(job)) return html`<p>${why}</p>`;
  return job.nextRetryAt
    ? ui.jobProgress(job, 'Looking up the post', provider)
    : ui.progress('Older posts can take a moment…');
}

/** @param last the session's last lookup. If it did not find a post, the person can correct its URL. */
export function lookupForm(connectionId: string, last: Session['lookup']) {
  const url = last?.connectionId === connectionId ? last.url : '';
  return html`<form method="post" action="/connections/${connectionId}/lookups" class="stack">
    <label>
      URL of the post
      <input name="url" type="url" required maxlength="2048" placeholder="https://" autocomplete="off" value="${url}" />
    </label>
    <button type="submit">Look up</button>
  </form>`;
}

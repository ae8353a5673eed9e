import { html } from 'hono/html';
import { ServiceError, type SyncJob } from 'social-account-connection-client';
import { isJobRunning, jobProgress, live, message, progress } from '../components.ts';
import * as context from '../context.ts';
import { renderPage } from '../layout.ts';
import { keepLookup } from '../sessions.ts';
import { describeLookupFailure, describeReason } from '../texts.ts';
import { getPostPath } from './post.ts';

const PATH = '/connections/:id/lookups';
const UNUSABLE_URL = 'This is not the URL of a post. It must start with https:// and lead to the page of one post.';

/** Looks up a post by its URL. After a failure the person can correct the URL. */
export function lookupRoutes({ service }: context.Studio) {
  const routes = context.newRoutes();

  routes.post(PATH, async (c) => {
    const { session, scope } = context.requireUser(c);
    const connectionId = c.req.param('id');
    const path = `/connections/${connectionId}`;
    const url = ((await context.readFields(c)).url ?? '').trim();
    keepLookup(session, connectionId, url);
    const request = service.requestContentLookup({ scope, connectionId, url: url.replace(/#.*$/, '') });
    const asked = await context.catchRefusal(request);
    if (asked instanceof ServiceError) return context.redirectWithError(c, path, asked, UNUSABLE_URL);
    return c.redirect(`${path}/lookups/${asked.id}`, 303);
  });

  routes.get(`${PATH}/:job`, async (c) => {
    const { session, scope } = context.requireUser(c);
    const { id: connectionId, job: id } = c.req.param();
    const job = await service.syncJob({ scope, connectionId, id });
    if (job.status === 'SUCCEEDED' && job.resultProviderContentId !== null) {
      session.lookups.delete(connectionId);
      const found = getPostPath(connectionId, job.resultProviderContentId);
      if (job.incompleteReason === null) return c.redirect(found, 303);
      // A lookup can succeed for an unavailable post; the job then has the reason.
      return context.redirectTo(c, found, { mood: 'plain', text: describeReason(job.incompleteReason) });
    }
    const isRunning = isJobRunning(job);
    const title = html`<span id="heading" data-live>${isRunning ? 'Looking up the post' : 'Post not found'}</span>`;
    const form = !isRunning && lookupForm(connectionId, session.lookups.get(connectionId));
    return renderPage(
      c,
      { title: 'Looking up a post', pollSeconds: isRunning && 1 },
      message(title, [
        live('progress', describeProgress(job), 'polite'),
        live('again', form),
        html`<a href="/connections/${connectionId}">Back to the account</a>`,
      ]),
    );
  });

  return routes;
}

function describeProgress(job: SyncJob) {
  if (!isJobRunning(job)) return html`<p>${describeLookupFailure(job)}</p>`;
  return job.nextRetryAt === null
    ? progress('Older posts can take a moment…')
    : jobProgress(job, 'Looking up the post');
}

/** @param url of the last lookup, if it did not find a post */
export const lookupForm = (connectionId: string, url = '') =>
  html`<form method="post" action="/connections/${connectionId}/lookups" class="stack">
    <label>
      URL of the post
      <input name="url" type="url" required maxlength="2048" placeholder="https://" autocomplete="off" value="${url}" />
    </label>
    <button type="submit">Look up</button>
  </form>`;

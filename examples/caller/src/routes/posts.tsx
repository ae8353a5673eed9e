import { Hono } from 'hono';
import { ServiceError } from 'social-account-connection-client';
import { catchRefusal, getScope, redirectTo, requireUser, type Studio, type StudioEnv } from '../context.ts';
import { describeReason } from '../texts.ts';
import { isJobRunning } from '../views/components.tsx';
import { renderPage } from '../views/layout.tsx';
import { LookupPage } from '../views/lookup.tsx';
import { PostPage } from '../views/post.tsx';
import { getPostTitle } from '../views/post-card.tsx';
import { toVisitablePost } from '../visit.ts';
import { redirectWithError } from './account.tsx';

const PATH = '/connections/:id/posts/:post';

/** The page of one post, the refresh of its metrics, and the lookup of a post. */
export function postRoutes(studio: Studio): Hono<StudioEnv> {
  const { config, service } = studio;
  const routes = new Hono<StudioEnv>();

  routes.get(PATH, async (c) => {
    const { user } = requireUser(c);
    const { id: connectionId, post: providerContentId } = c.req.param();
    const scope = getScope(studio, user);
    const jobId = c.req.query('job');
    const [post, job] = await Promise.all([
      service.contentItem({ scope, connectionId, providerContentId }),
      jobId === undefined ? undefined : catchRefusal(service.syncJob({ scope, connectionId, id: jobId })),
    ]);
    if (post === null) throw new ServiceError('NOT_FOUND', 'The service has not read this post.');
    const syncJob = job === undefined || job instanceof ServiceError ? undefined : job;
    return renderPage(
      c,
      { title: getPostTitle(post), pollSeconds: isJobRunning(syncJob) ? 1 : undefined },
      <PostPage connectionId={connectionId} post={toVisitablePost(config, post)} job={syncJob} />,
    );
  });

  routes.post(`${PATH}/refresh`, async (c) => {
    const { user } = requireUser(c);
    const { id: connectionId, post: providerContentId } = c.req.param();
    const path = `/connections/${connectionId}/posts/${encodeURIComponent(providerContentId)}`;
    const asked = await catchRefusal(
      service.requestRefresh({ scope: getScope(studio, user), connectionId, providerContentId }),
    );
    if (asked instanceof ServiceError) return redirectWithError(c, path, asked);
    return c.redirect(`${path}?job=${asked.id}`, 303);
  });

  routes.get('/connections/:id/lookups/:job', async (c) => {
    const { session, user } = requireUser(c);
    const { id: connectionId, job: id } = c.req.param();
    const job = await service.syncJob({ scope: getScope(studio, user), connectionId, id });
    if (job.status === 'SUCCEEDED' && job.resultProviderContentId !== null) {
      session.lookups.delete(connectionId);
      const found = `/connections/${connectionId}/posts/${encodeURIComponent(job.resultProviderContentId)}`;
      if (job.incompleteReason === null) return redirectTo(c, found);
      // A lookup can succeed for an unavailable post; the job then has the reason.
      return redirectTo(c, found, { mood: 'plain', text: describeReason(job.incompleteReason) });
    }
    return renderPage(
      c,
      { title: 'Looking up a post', pollSeconds: isJobRunning(job) ? 1 : undefined },
      <LookupPage connectionId={connectionId} job={job} url={session.lookups.get(connectionId)} />,
    );
  });

  return routes;
}

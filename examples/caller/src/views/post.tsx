import type { FC } from 'hono/jsx';
import type { ContentItem, SyncJob } from 'social-account-connection-client';
import { formatCount, toWebUrl } from '../format.ts';
import { describeJobError, describeReason, KINDS, METRICS, PROVIDERS } from '../texts.ts';
import { ActionForm, DateTime, isJobRunning, JobProgress } from './components.tsx';
import { getPostTitle, sortMetrics, Thumbnail } from './post-card.tsx';

/** One post and its metrics. */
export const PostPage: FC<{ connectionId: string; post: ContentItem; job: SyncJob | undefined }> = (props) => {
  const { connectionId, post, job } = props;
  const name = getPostTitle(post);
  const text = post.description?.trim();
  const url = toWebUrl(post.canonicalUrl);
  return (
    <>
      <p class="back">
        <a href={`/connections/${connectionId}`}>← Account</a>
      </p>
      <div class="one-post">
        <Thumbnail post={post} eager />
        <div class="grow">
          <p class="soft">
            {KINDS[post.kind]} at {PROVIDERS[post.provider].name}
            {post.publishedAt !== null && (
              <>
                {' · '}
                <DateTime instant={post.publishedAt} />
              </>
            )}
          </p>
          <h1 dir="auto">{name}</h1>
          {text && text !== name ? (
            <p class="bio" dir="auto">
              {text}
            </p>
          ) : null}
          {post.availability !== 'AVAILABLE' && <p class="callout wait">{describeReason(post.reason)}</p>}
          {url !== undefined && (
            <p>
              <a href={url} rel="noreferrer" target="_blank">
                Open at {PROVIDERS[post.provider].name} (new tab)
              </a>
            </p>
          )}
          <section aria-labelledby="metrics-title">
            <div class="bar-line">
              <h2 id="metrics-title">Metrics</h2>
              <ActionForm
                action={`/connections/${connectionId}/posts/${encodeURIComponent(post.providerContentId)}/refresh`}
                label="Refresh"
                about="Refresh the metrics of this post"
              />
            </div>
            <div id="progress" data-live="" aria-live="polite">
              {job !== undefined && isJobRunning(job) && <JobProgress job={job} label="Reading the metrics" />}
              {job?.status === 'FAILED' && <p class="callout bad">{describeJobError(job.errorCode)}</p>}
            </div>
            <div id="metrics" data-live="">
              <MetricList post={post} />
            </div>
          </section>
        </div>
      </div>
    </>
  );
};

const MetricList: FC<{ post: ContentItem }> = ({ post }) =>
  post.metrics.length === 0 ? (
    <p class="soft">This post has no metrics.</p>
  ) : (
    <>
      <dl class="numbers">
        {sortMetrics(post).map(({ name, value, reason }) => (
          <div>
            <dt>{METRICS[name]}</dt>
            {value === null ? <dd class="soft small">{describeReason(reason)}</dd> : <dd>{formatCount(value)}</dd>}
          </div>
        ))}
      </dl>
      <p class="soft small">
        Last read <DateTime instant={post.metrics[0]?.observedAt ?? post.observedAt} />
      </p>
    </>
  );

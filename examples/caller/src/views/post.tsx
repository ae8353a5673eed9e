import type { FC } from 'hono/jsx';
import { formatCount, webAddress } from '../format.ts';
import type { JobFragment, PostFragment } from '../generated/service.ts';
import { jobErrorWords, KINDS, METRICS, PROVIDERS, reasonWords } from '../words.ts';
import { At, Do, JobProgress, Progress } from './parts.tsx';
import { orderedMetrics, Picture, postName } from './post-card.tsx';

export const isUnderWay = (job: JobFragment | undefined): boolean =>
  job?.status === 'QUEUED' || job?.status === 'RUNNING';

/** One post and its numbers. */
export const PostPage: FC<{ connectionId: string; post: PostFragment; job: JobFragment | undefined }> = (props) => {
  const { connectionId, post, job } = props;
  const name = postName(post);
  const text = post.description?.trim();
  const url = webAddress(post.canonicalUrl);
  return (
    <>
      <p class="back">
        <a href={`/connections/${connectionId}`}>← The account</a>
      </p>
      <div class="one-post">
        <Picture post={post} eager />
        <div class="grow">
          <p class="soft">
            {KINDS[post.kind]} at {PROVIDERS[post.provider].name}
            {post.publishedAt !== null && (
              <>
                {' · '}
                <At instant={post.publishedAt} />
              </>
            )}
          </p>
          <h1 dir="auto">{name}</h1>
          {text && text !== name ? (
            <p class="bio" dir="auto">
              {text}
            </p>
          ) : null}
          {post.availability !== 'AVAILABLE' && <p class="callout wait">{reasonWords(post.reason)}</p>}
          {url !== undefined && (
            <p>
              <a href={url} rel="noreferrer" target="_blank">
                Open at {PROVIDERS[post.provider].name} (new tab)
              </a>
            </p>
          )}
          <section aria-labelledby="numbers">
            <div class="bar-line">
              <h2 id="numbers">Numbers</h2>
              <Do
                action={`/connections/${connectionId}/posts/${encodeURIComponent(post.providerContentId)}/refresh`}
                label="Refresh"
                about="Refresh the numbers of this post"
              />
            </div>
            <div id="progress" data-live="" aria-live="polite">
              {job !== undefined && isUnderWay(job) && <JobProgress job={job} what="Reading the numbers" />}
              {job?.status === 'FAILED' && <p class="callout bad">{jobErrorWords(job.errorCode)}</p>}
            </div>
            <div id="metrics" data-live="">
              <Numbers post={post} />
            </div>
          </section>
        </div>
      </div>
    </>
  );
};

const Numbers: FC<{ post: PostFragment }> = ({ post }) =>
  post.metrics.length === 0 ? (
    <p class="soft">There are no numbers of this post.</p>
  ) : (
    <>
      <dl class="numbers">
        {orderedMetrics(post).map(({ name, value, reason }) => (
          <div>
            <dt>{METRICS[name]}</dt>
            {value === null ? <dd class="soft small">{reasonWords(reason)}</dd> : <dd>{formatCount(value)}</dd>}
          </div>
        ))}
      </dl>
      <p class="soft small">
        Read <At instant={post.metrics[0]?.observedAt ?? post.observedAt} />
      </p>
    </>
  );

/** A post being looked for by its address. */
export const LookupPage: FC<{ connectionId: string; job: JobFragment }> = ({ connectionId, job }) => (
  <section class="card narrow">
    <h1>{isUnderWay(job) ? 'Looking for the post' : 'Not found'}</h1>
    <div id="progress" data-live="" aria-live="polite">
      {isUnderWay(job) ? (
        job.nextRetryAt === null ? (
          <Progress>This can take a moment when the post is an old one…</Progress>
        ) : (
          <JobProgress job={job} what="Looking for the post" />
        )
      ) : (
        <p>{jobErrorWords(job.errorCode)}</p>
      )}
    </div>
    <p>
      <a href={`/connections/${connectionId}`}>Back to the account</a>
    </p>
  </section>
);

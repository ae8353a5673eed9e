import type { FC } from 'hono/jsx';
import type { SyncJob } from 'social-account-connection-client';
import { describeLookupFailure } from '../texts.ts';
import { isJobRunning, JobProgress, Progress } from './components.tsx';

/** @param url of the last lookup, if it did not find a post */
const LookupForm: FC<{ connectionId: string; url: string | undefined }> = ({ connectionId, url }) => (
  <form method="post" action={`/connections/${connectionId}/lookups`} class="stack">
    <label for="url">URL of the post</label>
    <input
      id="url"
      name="url"
      type="url"
      required
      maxlength={2048}
      placeholder="https://"
      autocomplete="off"
      value={url}
    />
    <button type="submit">Look up</button>
  </form>
);

export const LookupCard: FC<{ connectionId: string; url: string | undefined }> = (props) => (
  <section class="card" aria-labelledby="finder">
    <h2 id="finder">Look up a post by URL</h2>
    <LookupForm {...props} />
  </section>
);

/** The progress or failure of a lookup. After a failure the person can correct the URL. */
export const LookupPage: FC<{ connectionId: string; job: SyncJob; url: string | undefined }> = (props) => {
  const { connectionId, job, url } = props;
  return (
    <section class="card narrow">
      <div id="heading" data-live="">
        <h1>{isJobRunning(job) ? 'Looking up the post' : 'Post not found'}</h1>
      </div>
      <div id="progress" data-live="" aria-live="polite">
        {isJobRunning(job) ? (
          job.nextRetryAt === null ? (
            <Progress>Older posts can take a moment…</Progress>
          ) : (
            <JobProgress job={job} label="Looking up the post" />
          )
        ) : (
          <p>{describeLookupFailure(job)}</p>
        )}
      </div>
      <div id="again" data-live="">
        {!isJobRunning(job) && <LookupForm connectionId={connectionId} url={url} />}
      </div>
      <p>
        <a href={`/connections/${connectionId}`}>Back to the account</a>
      </p>
    </section>
  );
};

import type { FC } from 'hono/jsx';
import { formatShortCount, toWebUrl } from '../format.ts';
import type { AccountFragment, JobFragment, MetricName, PostsQuery } from '../generated/service.ts';
import { ServiceError } from '../service.ts';
import {
  AVAILABILITY,
  CAPABILITIES,
  CONNECTION_STATUS,
  describeIncomplete,
  describeJobError,
  describeReason,
  METRICS,
  PROVIDERS,
} from '../texts.ts';
import { formatViewQuery, SPANS, type View } from '../window.ts';
import { Chart, getCount, listCountedMetrics } from './chart.tsx';
import {
  ActionForm,
  Avatar,
  DateTime,
  JobProgress,
  Pill,
  Progress,
  ProviderBadge,
  RefusalNote,
} from './components.tsx';
import { getAccountName } from './home.tsx';
import { PostCard } from './post-card.tsx';

type Content = PostsQuery['content'];

export interface AccountView {
  readonly account: AccountFragment;
  readonly view: View;
  /** Undefined when the account cannot be read for posts at all. */
  readonly content: Content | ServiceError | undefined;
  /** The scan last asked for from here, if it can still be read. */
  readonly scan: JobFragment | undefined;
  readonly metric: MetricName | undefined;
}

const isJobRunning = (job: JobFragment | undefined) => job?.status === 'QUEUED' || job?.status === 'RUNNING';

/** Whether something on the page will change by itself. */
export const isInProgress = ({ account, scan }: Pick<AccountView, 'account' | 'scan'>): boolean =>
  isJobRunning(scan) ||
  (account.status === 'CONNECTED' && (account.syncStatus === 'PENDING' || account.syncStatus === 'RUNNING'));

const canContinue = ({ scan }: AccountView): boolean =>
  scan?.status === 'SUCCEEDED' && scan.completeForWindow === false && scan.continuationCursor !== null;

/** One account: who it is, how it stands, what it has published. */
export const AccountPage: FC<{ it: AccountView }> = ({ it }) => (
  <>
    <p class="back">
      <a href="/">← Your accounts</a>
    </p>
    <div id="head" data-live="">
      <AccountHeader account={it.account} />
    </div>
    <div class="columns">
      <div class="grow">
        <div id="progress" data-live="" aria-live="polite">
          <ScanStatus it={it} />
        </div>
        {it.content !== undefined && (
          <div id="posts" data-live="">
            <PostSection it={it} />
          </div>
        )}
      </div>
      <aside>
        <Capabilities account={it.account} />
        {canRead(it.account, 'CONTENT_LOOKUP') && <LookupForm account={it.account} />}
        <ManageAccount account={it.account} />
      </aside>
    </div>
  </>
);

/** Whether the account can be read for this now. */
export const canRead = (account: AccountFragment, capability: keyof typeof CAPABILITIES): boolean =>
  account.status === 'CONNECTED' &&
  account.capabilities.some((state) => state.capability === capability && state.availability === 'AVAILABLE');

const AccountHeader: FC<{ account: AccountFragment }> = ({ account }) => {
  const { profile, provider, status } = account;
  const name = getAccountName(account);
  const standing = CONNECTION_STATUS[status];
  const profileUrl = toWebUrl(profile?.profileUrl);
  return (
    <header class="head">
      <Avatar url={profile?.avatarUrl} name={name} />
      <div class="grow">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <p class="soft">
          <ProviderBadge provider={provider} /> {PROVIDERS[provider].name}
          {profile?.handle ? (
            <>
              {' · '}
              {profileUrl !== undefined ? (
                <a href={profileUrl} rel="noreferrer">
                  <bdi>{formatHandle(profile.handle)}</bdi>
                </a>
              ) : (
                <bdi>{formatHandle(profile.handle)}</bdi>
              )}
            </>
          ) : null}
        </p>
        {profile?.description ? (
          <p class="bio" dir="auto">
            {profile.description}
          </p>
        ) : null}
      </div>
      <Pill mood={standing.mood}>{standing.name}</Pill>
      {standing.about !== '' && <p class={`callout ${standing.mood}`}>{standing.about}</p>}
    </header>
  );
};

const ScanStatus: FC<{ it: AccountView }> = ({ it: { account, scan, view } }) => {
  const from = PROVIDERS[account.provider].name;
  if (scan !== undefined && isJobRunning(scan)) return <JobProgress job={scan} what={`Reading posts from ${from}`} />;
  if (isInProgress({ account, scan })) return <Progress>Reading the latest posts from {from}…</Progress>;
  if (scan?.status === 'FAILED') {
    return (
      <p class="callout bad">
        <strong>The last reading did not succeed.</strong> {describeJobError(scan.errorCode)}
      </p>
    );
  }
  if (scan?.status === 'SUCCEEDED' && scan.completeForWindow === false) {
    return (
      <div class="callout wait">
        <p>
          <strong>There is more.</strong> {describeIncomplete(scan.incompleteReason)}
        </p>
        {scan.continuationCursor !== null && (
          <ActionForm
            action={`/connections/${account.id}/continue`}
            label="Go on reading"
            values={{ days: String(view.days) }}
            kind="main"
          />
        )}
      </div>
    );
  }
  return null;
};

const PostSection: FC<{ it: AccountView }> = ({ it }) => {
  const { account, content, view } = it;
  if (content === undefined) return null;
  return (
    <section aria-labelledby="posts-title">
      <div class="bar-line">
        <h2 id="posts-title">Posts</h2>
        <nav class="switch" aria-label="Days shown">
          {SPANS.map((days) => (
            <a
              href={formatViewQuery({ ...view, days, after: undefined })}
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
      {content instanceof ServiceError ? <RefusalNote error={content} /> : <PostList it={it} content={content} />}
    </section>
  );
};

const PostList: FC<{ it: AccountView; content: Content }> = ({ it, content }) => {
  const { account, view, metric } = it;
  const { items, pageInfo } = content;
  const shown = listCountedMetrics(items);
  const drawn = metric !== undefined && shown.includes(metric) ? metric : shown[0];
  return (
    <>
      <p class="soft">
        {account.lastSuccessfulSyncAt !== null && (
          <>
            Last read <DateTime instant={account.lastSuccessfulSyncAt} />.{' '}
          </>
        )}
        {pageInfo.completeForWindow
          ? `These are all posts of the last ${view.days} days.`
          : describeIncomplete(pageInfo.incompleteReason)}
        {!pageInfo.completeForWindow && !isInProgress(it) && !canContinue(it) && ' Press Refresh to read them.'}
      </p>
      {drawn !== undefined && (
        <figure class="card figures">
          <figcaption>
            <span class="hidden">Metrics of the posts on this page</span>
            <nav class="tiles" aria-label="Number drawn">
              {shown.map((name) => (
                <a href={`${formatViewQuery(view)}&metric=${name}`} aria-current={name === drawn ? 'true' : undefined}>
                  <span>{METRICS[name]}</span>
                  <strong>
                    {formatShortCount(items.reduce((sum, post) => sum + (getCount(post, name) ?? 0n), 0n))}
                  </strong>
                </a>
              ))}
            </nav>
          </figcaption>
          <Chart posts={items} metric={drawn} />
        </figure>
      )}
      {items.length === 0 ? (
        <p class="empty">No posts of these days{pageInfo.completeForWindow ? '.' : ' so far.'}</p>
      ) : (
        <div class="posts">
          {items.map((post) => (
            <PostCard
              post={post}
              href={`/connections/${account.id}/posts/${encodeURIComponent(post.providerContentId)}`}
            />
          ))}
        </div>
      )}
      <nav class="row" aria-label="More posts">
        {view.after !== undefined && (
          <a class="button" href={formatViewQuery({ ...view, after: undefined })}>
            To the newest
          </a>
        )}
        {pageInfo.hasNextPage && pageInfo.endCursor !== null && (
          <a class="button" href={formatViewQuery({ ...view, after: pageInfo.endCursor })} rel="next">
            Older posts
          </a>
        )}
      </nav>
    </>
  );
};

const Capabilities: FC<{ account: AccountFragment }> = ({ account }) => (
  <section class="card" aria-labelledby="capabilities">
    <h2 id="capabilities">What we may see</h2>
    <ul class="states">
      {account.capabilities.map(({ capability, availability, reason }) => (
        <li>
          <span>
            {CAPABILITIES[capability].name}
            {availability !== 'AVAILABLE' && <small>{describeReason(reason)}</small>}
          </span>
          <Pill mood={AVAILABILITY[availability].mood}>{AVAILABILITY[availability].name}</Pill>
        </li>
      ))}
    </ul>
  </section>
);

const LookupForm: FC<{ account: AccountFragment }> = ({ account }) => (
  <section class="card" aria-labelledby="finder">
    <h2 id="finder">Find a post</h2>
    <form method="post" action={`/connections/${account.id}/lookups`} class="stack">
      <label for="url">Address of the post’s page</label>
      <input id="url" name="url" type="url" required maxlength={2048} placeholder="https://" autocomplete="off" />
      <button type="submit">Look it up</button>
    </form>
  </section>
);

/** Also where the account cannot be read any more. */
export const ManageAccount: FC<{ account: Pick<AccountFragment, 'id' | 'provider' | 'status'> }> = ({ account }) => {
  const isLeaving = account.status === 'DISCONNECTED' || account.status === 'DELETING';
  const reconnect = `/connect/${PROVIDERS[account.provider].slug}?reconnect=${encodeURIComponent(account.id)}`;
  return (
    <section class="card" aria-labelledby="manage">
      <h2 id="manage">ManageAccount</h2>
      <div class="stack">
        {isLeaving ? (
          <a class="button" href={`/receipts/${account.id}`}>
            See how it goes
          </a>
        ) : (
          <>
            <a class={account.status === 'RECONNECT_REQUIRED' ? 'button main' : 'button'} href={reconnect}>
              Reconnect
            </a>
            <a class="button danger" href={`/connections/${account.id}/disconnect`}>
              Disconnect…
            </a>
          </>
        )}
      </div>
    </section>
  );
};

/** One platform writes its handles with the sign, the others without. */
const formatHandle = (handle: string): string => (handle.startsWith('@') ? handle : `@${handle}`);

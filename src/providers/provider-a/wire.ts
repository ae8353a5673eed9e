import { z } from 'zod';
import {
  wireCount,
  wireCursor,
  wireDate,
  wireId,
  wireList,
  wirePermissions,
  wireSeconds,
  wireText,
  wireToken,
} from '../answers.ts';

/** Access token response (RFC 6749, section 5.1). The refresh token is required: without it the grant ends in an hour. */
export const ProviderATokenResponse = z.object({
  access_token: wireToken,
  expires_in: wireSeconds,
  refresh_token: wireToken,
  /** Present only if the person granted access for a limited time. */
  refresh_token_expires_in: wireSeconds.optional(),
  scope: wirePermissions,
  id_token: z.string().optional(),
});

/** The claims of an id_token that we check before we trust its `sub`. */
export const IdToken = z.object({
  iss: z.string(),
  aud: z.union([z.array(z.string()), z.string().transform((one) => [one])]),
  azp: z.string().optional(),
  exp: z.number(),
  sub: wireId,
});

/** Response to a refresh request. It normally has no refresh token: the old one stays valid. */
export const ProviderARefreshResponse = z.object({
  access_token: wireToken,
  expires_in: wireSeconds,
  refresh_token: wireToken.optional(),
  refresh_token_expires_in: wireSeconds.optional(),
  scope: wirePermissions.optional(),
});

/** Token information: `aud` is the client, and `sub` is present only with the scope `openid`. */
export const TokenInfo = z.object({ aud: z.string(), sub: wireId.optional(), scope: wirePermissions });

export const OAuthErrorResponse = z.object({ error: z.string().min(1) });

const reasons = z
  .array(z.object({ reason: z.string().optional() }))
  .nullish()
  .transform((list) => (list ?? []).flatMap(({ reason }) => reason ?? []));

/** google.rpc.ErrorInfo. Other details have neither field. */
const Details = z
  .array(
    z.object({
      reason: z.string().optional(),
      metadata: z.object({ quota_limit: z.string().optional() }).nullish().catch(null),
    }),
  )
  .nullish()
  .transform((list) => list ?? []);

/** The API's error format. `status` and `details` are optional. */
export const ApiErrorAnswer = z.object({
  error: z
    .object({ message: z.string().default(''), errors: reasons, details: Details, status: z.string().optional() })
    .transform(({ details, ...error }) => ({
      ...error,
      details: details.flatMap(({ reason }) => reason ?? []),
      /** The names of the quota's limits that were reached. */
      limits: details.flatMap(({ metadata }) => metadata?.quota_limit ?? []),
    })),
});

const Thumbnails = z
  .record(z.string(), z.object({ url: z.string().min(1), width: z.number().optional() }))
  .nullish()
  .transform((thumbnails) => Object.values(thumbnails ?? {}));

/** An empty list has no `items` key at all. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    kind: z.string(),
    nextPageToken: wireCursor.nullish(),
    items: wireList(item)
      .nullish()
      .transform((items) => items ?? []),
  });

export const ChannelList = listOf(
  z.object({
    id: wireId,
    snippet: z.object({ title: wireText, description: wireText, customUrl: wireText, thumbnails: Thumbnails }),
  }),
);

export const UploadsList = listOf(
  z.object({
    id: wireId.nullish(),
    contentDetails: z.object({ relatedPlaylists: z.object({ uploads: wireId }) }),
    /** Only public videos count. */
    statistics: z.object({ videoCount: wireCount }).optional(),
  }),
);

const privacy = { privacyStatus: z.string().optional() };

const PlaylistItem = z
  .object({
    snippet: z.object({
      /** Whose list it is. */
      channelId: wireId.nullish(),
      title: wireText,
      description: wireText,
      publishedAt: wireDate,
    }),
    contentDetails: z.object({ videoId: wireId, videoPublishedAt: wireDate }),
    status: z.object(privacy).optional(),
  })
  .transform(({ snippet, contentDetails, status }) => ({
    id: contentDetails.videoId,
    channelId: snippet.channelId ?? null,
    title: snippet.title,
    description: snippet.description,
    /** The time at which the video joined the playlist: its upload. */
    uploadedAt: snippet.publishedAt,
    publishedAt: contentDetails.videoPublishedAt,
    privacyStatus: status?.privacyStatus ?? null,
  }));
export type PlaylistItem = z.output<typeof PlaylistItem>;

export const PlaylistItemList = listOf(PlaylistItem);

const ChannelVideo = z
  .object({
    id: wireId,
    snippet: z.object({
      channelId: wireId.nullish(),
      title: wireText,
      description: wireText,
      publishedAt: wireDate,
      liveBroadcastContent: z.string().optional(),
    }),
    status: z.object({ ...privacy, uploadStatus: z.string().optional() }).optional(),
    statistics: z.object({ viewCount: wireCount, likeCount: wireCount, commentCount: wireCount }).optional(),
  })
  .transform(({ id, snippet, status, statistics }) => ({
    id,
    ...snippet,
    channelId: snippet.channelId ?? null,
    liveBroadcastContent: snippet.liveBroadcastContent ?? null,
    privacyStatus: status?.privacyStatus ?? null,
    uploadStatus: status?.uploadStatus ?? null,
    viewCount: statistics?.viewCount ?? null,
    likeCount: statistics?.likeCount ?? null,
    commentCount: statistics?.commentCount ?? null,
  }));
export type ChannelVideo = z.output<typeof ChannelVideo>;

export const VideoList = listOf(ChannelVideo);

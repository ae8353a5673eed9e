import { z } from 'zod';
import { wireCount, wireId, wireList, wirePermissions, wireSeconds, wireText, wireToken } from '../answers.ts';

/** Access token response (RFC 6749, section 5.1). All fields are required. */
export const ProviderBTokenResponse = z.object({
  open_id: wireId,
  scope: wirePermissions,
  access_token: wireToken,
  expires_in: wireSeconds,
  refresh_token: wireToken,
  refresh_expires_in: wireSeconds,
});

/** Response to a refresh request. A missing field has not changed. */
export const ProviderBRefreshResponse = z.object({
  open_id: wireId.optional(),
  access_token: wireToken,
  expires_in: wireSeconds.optional(),
  refresh_token: wireToken.optional(),
  refresh_expires_in: wireSeconds.optional(),
  scope: wirePermissions.optional(),
});

export const UserAnswer = z.object({
  data: z.object({
    user: z.object({
      open_id: wireId,
      display_name: wireText,
      avatar_url: wireText,
      avatar_large_url: wireText,
      username: wireText,
      bio_description: wireText,
      profile_deep_link: wireText,
    }),
  }),
});

const shown = {
  id: wireId,
  /** Seconds since the epoch, up to the year 9999. */
  create_time: z.number().int().nonnegative().max(253_402_300_799).nullable().catch(null).default(null),
  title: wireText,
  video_description: wireText,
  share_url: wireText,
  cover_image_url: wireText,
};
const counts = { view_count: wireCount, like_count: wireCount, comment_count: wireCount, share_count: wireCount };
const UserVideo = z.object({ ...shown, ...counts });
export type UserVideo = z.output<typeof UserVideo>;

/** The fields to request. */
export const VIDEO_FIELDS = Object.keys(shown);
export const COUNT_FIELDS = Object.keys(counts);

const END_OF_TIME_MS = 253_402_300_799_999;

export const VideoListAnswer = z.object({
  data: z.object({
    videos: wireList(UserVideo).nullish(),
    /** Milliseconds since the epoch. */
    cursor: z.coerce.number().int().nonnegative().max(END_OF_TIME_MS).optional(),
    has_more: z.boolean(),
  }),
});

export const VideoQueryAnswer = z.object({ data: z.object({ videos: wireList(UserVideo).nullish() }) });

/** The public oEmbed: the post's id, in a field of its own, or else in the embed code that its page documents. */
export const EmbedAnswer = z
  .object({ embed_product_id: z.coerce.string().catch(''), html: z.string().catch('') })
  .transform(({ embed_product_id, html }) => [embed_product_id, /data-video-id="(\d{10,25})"/.exec(html)?.[1] ?? ''])
  .transform((ids) => ids.find((id) => /^\d{10,25}$/.test(id)));

/** Both error formats: the API's envelope with code `ok` on success, and the OAuth endpoints' plain string. */
export const ErrorAnswer = z.object({
  error: z.union([z.string(), z.object({ code: z.string() })]),
  error_description: z.string().optional(),
});

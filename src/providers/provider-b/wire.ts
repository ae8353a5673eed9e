import { z } from 'zod';
import { count, id, list, seconds, text, token } from '../answers.ts';

const permissions = z.string().transform((list) => list.split(',').filter((permission) => permission !== ''));

/** The answer to a code: everything in it is needed. */
export const ExchangeAnswer = z.object({
  open_id: id,
  scope: permissions,
  access_token: token,
  expires_in: seconds,
  refresh_token: token,
  refresh_expires_in: seconds,
});

/** The answer to a refresh: what is missing has not changed. */
export const RefreshAnswer = z.object({
  access_token: token,
  expires_in: seconds.optional(),
  refresh_token: token.optional(),
  refresh_expires_in: seconds.optional(),
  scope: permissions.optional(),
});

export const UserAnswer = z.object({
  data: z.object({
    user: z.object({
      open_id: id,
      display_name: text,
      avatar_url: text,
      avatar_large_url: text,
      username: text,
      bio_description: text,
      profile_deep_link: text,
    }),
  }),
});

const Video = z.object({
  id,
  /** Seconds since the epoch; to the year 9999, or it could not be a date. */
  create_time: z.number().int().nonnegative().max(253_402_300_799),
  title: text,
  video_description: text,
  share_url: text,
  cover_image_url: text,
  view_count: count,
  like_count: count,
  comment_count: count,
  share_count: count,
});
export type Video = z.output<typeof Video>;

const END_OF_TIME_MS = 253_402_300_799_999;

export const VideoListAnswer = z.object({
  data: z.object({
    videos: list(Video).nullish(),
    /** Milliseconds since the epoch. */
    cursor: z.coerce.number().int().nonnegative().max(END_OF_TIME_MS).optional(),
    has_more: z.boolean(),
  }),
});

export const VideoQueryAnswer = z.object({ data: z.object({ videos: list(Video).nullish() }) });

/** Both error shapes: the API's envelope, whose code is `ok` on success, and the OAuth endpoints' plain string. */
export const ErrorAnswer = z.object({ error: z.union([z.string(), z.object({ code: z.string() })]) });

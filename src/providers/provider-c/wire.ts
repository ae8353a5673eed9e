import { z } from 'zod';
import { count, id, instant, list, place, seconds, text, token } from '../answers.ts';

/** A list, or text separated by commas or blanks. */
const permissions = z
  .union([z.array(z.string()), z.string()])
  .transform((list) =>
    (typeof list === 'string' ? list.split(/[ ,]+/) : list).filter((permission) => permission !== ''),
  );

const ShortToken = z.object({
  access_token: token,
  /** The app-scoped id, a bare number that can exceed 2^53. */
  user_id: id,
  permissions,
});

/** The short-lived token: documented inside `data`, in reality flat. */
export const ShortTokenAnswer = z.union([
  ShortToken,
  z.object({ data: z.tuple([ShortToken]) }).transform(({ data }) => data[0]),
]);

/** The long-lived token, from the exchange and from every refresh. */
export const LongTokenAnswer = z.object({ access_token: token, expires_in: seconds });

/** How the short-lived token's endpoint refuses, in a shape of its own. */
export const ShortTokenError = z.object({ error_type: z.string(), code: z.coerce.number(), error_message: z.string() });

const GraphError = z.object({
  code: z.coerce.number().int(),
  error_subcode: z.coerce.number().int().optional(),
  message: z.string().default(''),
  is_transient: z.boolean().default(false),
});
export type GraphError = z.output<typeof GraphError>;
export const GraphErrorAnswer = z.object({ error: GraphError });

/** Of one account or app: percent used, and minutes until calls are taken again. */
const Usage = z.object({ estimated_time_to_regain_access: z.coerce.number().nonnegative().default(0) });
export const BusinessUsage = z.record(z.string(), z.array(Usage));

export const MeAnswer = z.object({
  /** The professional account's id. Some accounts are reported to come without. */
  user_id: id.optional(),
  /** The app-scoped id: the `user_id` of the token's answer. */
  id,
  username: text,
  name: text,
  account_type: text,
  profile_picture_url: text,
  biography: text,
});

export const Media = z.object({
  id,
  media_type: text,
  permalink: text,
  timestamp: instant,
  caption: text,
  thumbnail_url: text,
  media_url: text,
  like_count: count,
  comments_count: count,
});
export type Media = z.output<typeof Media>;

export const MediaList = z.object({
  data: list(Media),
  paging: z
    .object({
      cursors: z.object({ after: place.optional() }).optional(),
      /** An absolute URL with the token in it: whether it is there is all we want to know. */
      next: z.string().optional(),
    })
    .optional(),
});

export const MediaById = z.record(z.string(), Media);

const Insight = z
  .object({
    name: z.string(),
    values: list(z.object({ value: count })).optional(),
    total_value: z.object({ value: count }).optional(),
  })
  .transform(({ name, values, total_value }) => ({ name, value: values?.[0]?.value ?? total_value?.value ?? null }));

export const InsightsAnswer = z.object({ data: list(Insight) });

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

const ShortToken = z.object({
  access_token: wireToken,
  /** The app-scoped id: a JSON number that can exceed 2^53. */
  user_id: wireId,
  permissions: wirePermissions,
});

/** Access token response with the short-lived token: documented inside `data`, in practice flat. */
export const ShortTokenResponse = z.union([
  ShortToken,
  z.object({ data: z.tuple([ShortToken]) }).transform(({ data }) => data[0]),
]);

/** The long-lived token, from the second exchange step and from every refresh. */
export const LongTokenResponse = z.object({ access_token: wireToken, expires_in: wireSeconds });

/** The error format of the short-lived token's endpoint. */
export const ShortTokenError = z.object({ error_type: z.string(), code: z.coerce.number(), error_message: z.string() });

const GraphError = z.object({
  code: z.coerce.number().int(),
  error_subcode: z.coerce.number().int().optional(),
  message: z.string().default(''),
  is_transient: z.boolean().default(false),
});
export type GraphError = z.output<typeof GraphError>;
export const GraphErrorAnswer = z.object({ error: GraphError });

/** Usage of one account or app. The wait until the API accepts calls again is in minutes. */
const Usage = z.object({ estimated_time_to_regain_access: z.coerce.number().nonnegative().default(0) });
export const BusinessUsage = z.record(z.string(), z.array(Usage));

export const MeAnswer = z.object({
  /** The professional account's id. Some answers lack it. */
  user_id: wireId.optional(),
  id: wireId,
  username: wireText,
  name: wireText,
  account_type: wireText,
  profile_picture_url: wireText,
  biography: wireText,
});

export const Media = z.object({
  id: wireId,
  /** Meta leaves it out where it does not offer the field. */
  owner: z.object({ id: wireId }).nullish().catch(null),
  media_type: wireText,
  media_product_type: wireText,
  permalink: wireText,
  timestamp: wireDate,
  caption: wireText,
  thumbnail_url: wireText,
  media_url: wireText,
  like_count: wireCount,
  comments_count: wireCount,
});
export type Media = z.output<typeof Media>;

export const MediaList = z.object({
  data: wireList(Media),
  paging: z
    .object({
      cursors: z.object({ after: wireCursor.optional() }).optional(),
      /** An absolute URL that contains the token. We only check whether it is present. */
      next: z.string().optional(),
    })
    .optional(),
});

export const MediaById = z.record(z.string(), Media);

const Insight = z
  .object({
    /** `<post>/insights/<metric>/<period>` */
    id: wireText,
    name: z.string(),
    values: wireList(z.object({ value: wireCount })).optional(),
    total_value: z.object({ value: wireCount }).optional(),
  })
  .transform(({ id, name, values, total_value }) => ({
    id,
    name,
    value: values?.[0]?.value ?? total_value?.value ?? null,
  }));

export const InsightsAnswer = z.object({ data: wireList(Insight) });

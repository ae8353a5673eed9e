import type { EndpointCall } from '../endpoint.ts';
import type { Post } from '../model.ts';
import { createGraphError } from './answers.ts';

const METRICS: readonly string[] = ['views', 'shares', 'reach', 'saved', 'likes', 'comments', 'total_interactions'];

/** One metric that cannot be had fails the whole request; no data at all is an empty list. */
export function createInsights(
  post: Post,
  call: EndpointCall,
  refused: readonly string[],
): Response | Record<string, unknown> {
  const asked = (call.query.metric ?? '').split(',');
  for (const [index, metric] of asked.entries()) {
    const isKnown = METRICS.includes(metric);
    if (!isKnown) call.violate(`unknown metric ${metric}`);
    const isRefused = refused.includes(metric) || (metric === 'shares' && post.insights === 'sharesRefused');
    if (!isKnown || isRefused) {
      return createGraphError(
        100,
        `(#100) metric[${index}] must be one of the following values: ${METRICS.join(', ')}`,
      );
    }
  }
  if (post.insights === 'beforeProfessional') {
    const message = 'Media posted before the account was converted to a professional account has no insights.';
    return createGraphError(100, message, { subcode: 2_108_006 });
  }
  if (post.insights === 'empty') return { data: [] };
  const values: Readonly<Record<string, string | null>> = {
    views: post.views,
    shares: post.shares,
    reach: post.views,
    saved: '3',
    likes: post.likes,
    comments: post.comments,
    total_interactions: post.likes,
  };
  const data = asked.flatMap((name) => {
    const value = values[name];
    if (value === null || value === undefined) return [];
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
    const id = `${post.id}/insights/${name}/lifetime`;
    return [
      { name, period: 'lifetime', values: [{ value: BigInt(value) }], title, description: `${title} of the post.`, id },
    ];
  });
  return { data };
}

import { DIGITS } from '../random.ts';
import type { Look } from '../seed.ts';
import { NIGHT_SKY } from '../seed-texts.ts';

export const look: Look = {
  longestCaption: 1000,
  account(_plan, random) {
    const id = `mosaic-${random.text(12, DIGITS)}`;
    return { id, principal: id };
  },
  kind: (random) => random.pick(['image', 'video']),
  postId: (random) => `tile-${random.text(10, DIGITS)}`,
  code: (random) => random.text(6),
  addedPostId: (number) => `tile-9${number.padStart(9, '0')}`,
  hasShares: true,
  plans: [
    {
      key: 'calm',
      name: 'Calm',
      handle: 'calm.demo',
      bio: 'Nothing happens here.',
      note: 'Calm account with 12 posts',
      theme: NIGHT_SKY,
      posts: 12,
    },
  ],
};

import { DIGITS, URL_SAFE } from '../random.ts';
import type { Look } from '../seed.ts';
import { NIGHT_SKY } from '../seed-texts.ts';

export const look: Look = {
  longestCaption: 2200,
  account(_plan, random) {
    const id = `-000${random.text(32, URL_SAFE)}`;
    return { id, principal: id };
  },
  kind: (random) => (random.int(1, 8) === 1 ? 'carousel' : 'video'),
  postId: (random) => `74${random.text(17, DIGITS)}`,
  code: (random) => `ZS${random.text(7)}`,
  addedPostId: (number) => `75${number.padStart(17, '0')}`,
  hasShares: true,
  isWithoutTitle: (index) => index % 17 === 3,
  plans: [
    {
      key: 'short-pages',
      name: 'Night Desk',
      handle: 'night.desk.demo',
      bio: 'Long exposures, short nights.',
      note: '40 posts in short pages, one of them empty',
      theme: NIGHT_SKY,
      posts: 40,
      traits: ['shortPages'],
    },
  ],
};

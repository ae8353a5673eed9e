import { DIGITS, URL_SAFE } from '../random.ts';
import type { Look } from '../seed.ts';
import { KITCHEN, NIGHT_SKY } from '../seed-texts.ts';

export const look: Look = {
  longestCaption: 2200,
  account: (_plan, random) => ({
    id: `17841400${random.text(9, DIGITS)}`,
    // Odd and far beyond 2^53, so that a number read as a double comes out wrong.
    principal: `24${random.text(14, DIGITS)}${random.pick(['1', '3', '7', '9'])}`,
  }),
  kind: (random) => random.pick(['image', 'image', 'video', 'carousel']),
  postId: (random) => `179${random.text(14, DIGITS)}`,
  code: (random) => `D${random.text(10, URL_SAFE)}`,
  addedPostId: (number) => `180${number.padStart(14, '0')}`,
  hasShares: true,
  hasSmallCounts: true,
  plans: [
    {
      key: 'pinned',
      name: 'Night Desk',
      handle: 'night.desk.demo',
      bio: 'Long exposures, short nights.',
      note: 'Creator account; an old pinned post comes first',
      theme: NIGHT_SKY,
      posts: 40,
      traits: ['creator', 'pinnedFirst'],
    },
    {
      key: 'personal',
      name: 'Quinn Ashby',
      handle: 'quinn.ashby.demo',
      bio: '',
      note: 'Personal account, which the platform refuses',
      theme: KITCHEN,
      posts: 0,
      traits: ['personal'],
    },
  ],
};

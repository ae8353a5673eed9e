import { DIGITS, URL_SAFE } from '../random.ts';
import type { Look } from '../seed.ts';
import { KITCHEN, NIGHT_SKY } from '../seed-texts.ts';

export const look: Look = {
  longestCaption: 5000,
  /** The consent belongs to the person's Google account: a revoke affects all its channels. */
  account({ traits = [] }, random, owner, person) {
    const sub = `1${owner.text(20, DIGITS)}`;
    const id = traits.includes('noChannel') ? `nochannel-${sub}` : `UC${random.text(21, URL_SAFE)}w`;
    return { id, principal: sub, email: `${person}@sandbox.example` };
  },
  kind: () => 'video',
  postId: (random) => random.text(11, URL_SAFE),
  code: (random) => `ZS${random.text(7)}`,
  addedPostId: (number) => `added-${number.padStart(5, '0')}`,
  hasShares: false,
  isScheduled: (index) => index % 50 === 7,
  // The platform lists by upload: some were uploaded weeks before they came out.
  uploadedDaysBefore: (index, random) => (index % 9 === 3 ? random.int(2, 20) : 0),
  plans: [
    {
      key: 'brand-sky',
      name: 'Night Desk',
      handle: 'night.desk.demo',
      bio: 'Long exposures, short nights.',
      note: 'Brand channel 1 of one Google account',
      theme: NIGHT_SKY,
      posts: 40,
      traits: ['brand'],
      person: 'studio',
    },
    {
      key: 'brand-kitchen',
      name: 'Night Desk Snacks',
      handle: 'night.desk.snacks.demo',
      bio: 'What we eat at 3 a.m.',
      note: 'Brand channel 2 of the same Google account',
      theme: KITCHEN,
      posts: 12,
      traits: ['brand'],
      person: 'studio',
    },
    {
      key: 'no-channel',
      name: 'Quinn Ashby',
      handle: 'quinn',
      bio: '',
      note: 'Google account without a channel',
      theme: KITCHEN,
      posts: 0,
      traits: ['noChannel'],
    },
  ],
};

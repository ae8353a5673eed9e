import type { Platform, Post, PostKind, SandboxAccount, Trait } from './model.ts';
import { DIGITS, Random, URL_SAFE } from './random.ts';
import { BOOKS, EMOJI, KITCHEN, NIGHT_SKY, RIGHT_TO_LEFT, type Theme } from './seed-texts.ts';

const HOUR_MS = 3_600_000;
const BEYOND_DOUBLE = '9007199254741993';
const LONGEST_CAPTION: Readonly<Record<Platform, number>> = { PROVIDER_A: 5000, PROVIDER_B: 2200, PROVIDER_C: 2200 };

interface Plan {
  readonly key: string;
  readonly name: string;
  readonly handle: string;
  readonly bio: string;
  readonly note: string;
  readonly theme: Theme;
  readonly posts: number;
  readonly traits?: readonly Trait[];
  /** PROVIDER_A: the owner of the Google account. A revoke affects all channels of one person. */
  readonly person?: string;
}

const MAIN: readonly Plan[] = [
  {
    key: 'kitchen',
    name: 'Harbour Kitchen 🦪',
    handle: 'harbour.kitchen.demo',
    bio: 'Small boats, big pots.',
    note: '250 posts over about twelve weeks',
    theme: KITCHEN,
    posts: 250,
  },
  {
    key: 'books',
    name: 'نادي القراءة',
    handle: 'reading.club.demo',
    bio: 'نقرأ معًا كل خميس. كتب قديمة، أصدقاء جدد.',
    note: '40 posts, written from right to left',
    theme: BOOKS,
    posts: 40,
  },
  {
    key: 'fresh',
    name: 'Fresh Start',
    handle: 'fresh.start.demo',
    bio: '',
    note: 'No posts yet',
    theme: KITCHEN,
    posts: 0,
    traits: ['sparse'],
  },
];

const MORE: Readonly<Record<Platform, readonly Plan[]>> = {
  PROVIDER_A: [
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
  PROVIDER_B: [
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
  PROVIDER_C: [
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

/** One of many ordinary accounts with 3 to 40 posts. */
const planMember = (platform: Platform, index: number): Plan => ({
  key: `crowd-${index}`,
  name: `Member ${index}`,
  handle: `member.${platform.at(-1)?.toLowerCase()}${index}.demo`,
  bio: 'One of many.',
  note: 'One of a crowd',
  theme: KITCHEN,
  posts: 3 + ((index * 7) % 38),
});

/**
 * Creates the accounts of a platform and their posts from the seed, and `crowd` ordinary accounts more. Dates count back
 * from `today` (a midnight), so that the last days always have posts.
 */
export function seedPlatform(
  platform: Platform,
  seed: string,
  today: number,
  crowd = 0,
): { accounts: SandboxAccount[]; posts: Post[] } {
  const plans = [
    ...MAIN,
    ...MORE[platform],
    ...Array.from({ length: crowd }, (_, index) => planMember(platform, index)),
  ];
  const accounts = plans.map((plan) => seedAccount(platform, plan, seed));
  const posts = plans.flatMap((plan, index) => {
    const account = accounts[index];
    return account === undefined ? [] : seedPosts(account, plan, seed, today);
  });
  return { accounts, posts };
}

function seedAccount(platform: Platform, plan: Plan, seed: string): SandboxAccount {
  const { key, name, handle, bio, note, traits = [] } = plan;
  const random = new Random(`${seed}/${platform}/${key}`);
  const person = plan.person ?? key;
  const fields = { platform, name, handle, bio, note, traits, email: null };
  switch (platform) {
    case 'PROVIDER_A': {
      const sub = `1${new Random(`${seed}/google/${person}`).text(20, DIGITS)}`;
      const id = traits.includes('noChannel') ? `nochannel-${sub}` : `UC${random.text(21, URL_SAFE)}w`;
      return { ...fields, id, principal: sub, email: `${person}@sandbox.example` };
    }
    case 'PROVIDER_B': {
      const id = `-000${random.text(32, URL_SAFE)}`;
      return { ...fields, id, principal: id };
    }
    case 'PROVIDER_C':
      return {
        ...fields,
        id: `17841400${random.text(9, DIGITS)}`,
        // Odd and far beyond 2^53, so that a number read as a double comes out wrong.
        principal: `24${random.text(14, DIGITS)}${random.pick(['1', '3', '7', '9'])}`,
      };
  }
}

function seedPosts(account: SandboxAccount, plan: Plan, seed: string, today: number): Post[] {
  const random = new Random(`${seed}/${account.platform}/${plan.key}/posts`);
  const isDense = plan.posts >= 100;
  let publishedAt = today - random.int(1, 5) * HOUR_MS;
  const posts = Array.from({ length: plan.posts }, (_, index) => {
    // About three a day for the busy ones, one every other day for the rest; never two in the same second.
    publishedAt -= isDense ? random.int(120, 840) * 60_000 : random.int(24, 60) * HOUR_MS + random.int(1, 3000) * 1000;
    return seedPost(account, plan.theme, index, publishedAt, random);
  });
  const oldest = posts.at(-1);
  if (oldest !== undefined && account.traits.includes('pinnedFirst'))
    posts[posts.length - 1] = { ...oldest, isPinned: true };
  return posts;
}

function seedPost(account: SandboxAccount, theme: Theme, index: number, publishedAt: number, random: Random): Post {
  const { platform } = account;
  const plainTitle = index % 23 === 5 ? RIGHT_TO_LEFT : random.pick(theme.titles);
  const titled = index % 11 === 4 ? `${random.pick(EMOJI)} ${plainTitle}` : plainTitle;
  const caption = `${titled}. ${random.pick(theme.sentences)} ${random.pick(theme.tags)} ${random.pick(theme.tags)}`;
  const views = random.int(40, 90) * random.int(3, 2400);
  const kind = kindOf(platform, random);
  const isScheduled = platform === 'PROVIDER_A' && index % 50 === 7;
  // PROVIDER_A lists by upload: some were uploaded weeks before they came out.
  const uploadedDaysBefore = platform === 'PROVIDER_A' && index % 9 === 3 ? random.int(2, 20) : 0;
  return {
    id: postId(platform, random),
    accountId: account.id,
    kind,
    code: platform === 'PROVIDER_C' ? `D${random.text(10, URL_SAFE)}` : `ZS${random.text(7)}`,
    uploadedAt: publishedAt - uploadedDaysBefore * 24 * HOUR_MS - 15 * 60_000,
    publishedAt: isScheduled ? null : publishedAt,
    title: platform === 'PROVIDER_B' && index % 17 === 3 ? '' : titled,
    caption: index % 40 === 12 ? lengthen(caption, theme, LONGEST_CAPTION[platform], random) : caption,
    views: index % 100 === 37 && platform !== 'PROVIDER_C' ? BEYOND_DOUBLE : String(views),
    likes: index % 13 === 6 ? null : String(Math.floor(views / random.int(9, 40))),
    comments: index % 29 === 8 ? null : String(Math.floor(views / random.int(150, 900))),
    shares: platform === 'PROVIDER_A' ? null : String(Math.floor(views / random.int(300, 2000))),
    isPublic: !isScheduled && index % 61 !== 44,
    isPinned: false,
    insights: insightsOf(index),
    seconds: random.int(9, 900),
  };
}

function kindOf(platform: Platform, random: Random): PostKind {
  if (platform === 'PROVIDER_A') return 'video';
  if (platform === 'PROVIDER_B') return random.int(1, 8) === 1 ? 'carousel' : 'video';
  return random.pick(['image', 'image', 'video', 'carousel']);
}

function postId(platform: Platform, random: Random): string {
  if (platform === 'PROVIDER_A') return random.text(11, URL_SAFE);
  return platform === 'PROVIDER_B' ? `74${random.text(17, DIGITS)}` : `179${random.text(14, DIGITS)}`;
}

function insightsOf(index: number): Post['insights'] {
  if (index >= 30 && index % 7 === 2) return 'beforeProfessional';
  if (index % 16 === 9) return 'empty';
  return index % 19 === 11 ? 'sharesRefused' : 'given';
}

function lengthen(caption: string, theme: Theme, length: number, random: Random): string {
  let text = caption;
  while (text.length < length - 120) text += `\n${random.pick(theme.sentences)}`;
  return text;
}

import type { Platform, Post, PostKind, SandboxAccount, Trait } from './model.ts';
import { Random } from './random.ts';
import { BOOKS, EMOJI, KITCHEN, RIGHT_TO_LEFT, type Theme } from './seed-texts.ts';

const HOUR_MS = 3_600_000;
const BEYOND_DOUBLE = '9007199254741993';

/** An account to make up. */
export interface Plan {
  readonly key: string;
  readonly name: string;
  readonly handle: string;
  readonly bio: string;
  readonly note: string;
  readonly theme: Theme;
  readonly posts: number;
  readonly traits?: readonly Trait[];
  /** Whose account it is, if one person has several. */
  readonly person?: string;
}

/** How a platform's accounts and posts look. */
export interface Look {
  /** Accounts besides those that every platform has. */
  readonly plans: readonly Plan[];
  readonly longestCaption: number;
  /** The ids of an account. `person` is its owner. */
  account(
    plan: Plan,
    random: Random,
    owner: Random,
    person: string,
  ): Pick<SandboxAccount, 'id' | 'principal'> & {
    readonly email?: string;
  };
  kind(random: Random): PostKind;
  postId(random: Random): string;
  code(random: Random): string;
  /** The id of a post that a test adds. */
  addedPostId(number: string): string;
  readonly hasShares: boolean;
  /** Whether each count is one that a double can hold. */
  readonly hasSmallCounts?: boolean;
  isScheduled?(index: number): boolean;
  /** How long before its publication a post was uploaded. */
  uploadedDaysBefore?(index: number, random: Random): number;
  isWithoutTitle?(index: number): boolean;
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
  look: Look,
  seed: string,
  today: number,
  crowd = 0,
): { accounts: SandboxAccount[]; posts: Post[] } {
  const plans = [...MAIN, ...look.plans, ...Array.from({ length: crowd }, (_, index) => planMember(platform, index))];
  const accounts = plans.map((plan) => seedAccount(platform, look, plan, seed));
  const posts = plans.flatMap((plan, index) => {
    const account = accounts[index];
    return account === undefined ? [] : seedPosts(account, look, plan, seed, today);
  });
  return { accounts, posts };
}

function seedAccount(platform: Platform, look: Look, plan: Plan, seed: string): SandboxAccount {
  const { key, name, handle, bio, note, traits = [] } = plan;
  const person = plan.person ?? key;
  const random = new Random(`${seed}/${platform}/${key}`);
  const owner = new Random(`${seed}/google/${person}`);
  return { platform, name, handle, bio, note, traits, email: null, ...look.account(plan, random, owner, person) };
}

function seedPosts(account: SandboxAccount, look: Look, plan: Plan, seed: string, today: number): Post[] {
  const random = new Random(`${seed}/${account.platform}/${plan.key}/posts`);
  const isDense = plan.posts >= 100;
  let publishedAt = today - random.int(1, 5) * HOUR_MS;
  const posts = Array.from({ length: plan.posts }, (_, index) => {
    // About three a day for the busy ones, one every other day for the rest; never two in the same second.
    publishedAt -= isDense ? random.int(120, 840) * 60_000 : random.int(24, 60) * HOUR_MS + random.int(1, 3000) * 1000;
    return seedPost(account, look, plan.theme, index, publishedAt, random);
  });
  const oldest = posts.at(-1);
  if (oldest !== undefined && account.traits.includes('pinnedFirst'))
    posts[posts.length - 1] = { ...oldest, isPinned: true };
  return posts;
}

function seedPost(
  account: SandboxAccount,
  look: Look,
  theme: Theme,
  index: number,
  publishedAt: number,
  random: Random,
): Post {
  const plainTitle = index % 23 === 5 ? RIGHT_TO_LEFT : random.pick(theme.titles);
  const titled = index % 11 === 4 ? `${random.pick(EMOJI)} ${plainTitle}` : plainTitle;
  const caption = `${titled}. ${random.pick(theme.sentences)} ${random.pick(theme.tags)} ${random.pick(theme.tags)}`;
  const views = random.int(40, 90) * random.int(3, 2400);
  const kind = look.kind(random);
  const isScheduled = look.isScheduled?.(index) ?? false;
  const uploadedDaysBefore = look.uploadedDaysBefore?.(index, random) ?? 0;
  return {
    id: look.postId(random),
    accountId: account.id,
    kind,
    code: look.code(random),
    uploadedAt: publishedAt - uploadedDaysBefore * 24 * HOUR_MS - 15 * 60_000,
    publishedAt: isScheduled ? null : publishedAt,
    title: look.isWithoutTitle?.(index) ? '' : titled,
    caption: index % 40 === 12 ? lengthen(caption, theme, look.longestCaption, random) : caption,
    views: index % 100 === 37 && !look.hasSmallCounts ? BEYOND_DOUBLE : String(views),
    likes: index % 13 === 6 ? null : String(Math.floor(views / random.int(9, 40))),
    comments: index % 29 === 8 ? null : String(Math.floor(views / random.int(150, 900))),
    shares: look.hasShares ? String(Math.floor(views / random.int(300, 2000))) : null,
    isPublic: !isScheduled && index % 61 !== 44,
    isPinned: false,
    insights: insightsOf(index),
    seconds: random.int(9, 900),
  };
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

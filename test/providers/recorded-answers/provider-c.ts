import { expect } from 'vitest';
import type { Recording } from './recording.ts';

const picture = (name: string) =>
  `https://scontent.xx.fbcdn.net/v/t51.2885-15/${name}_n.jpg?_nc_cat=102&_nc_sid=8ae9d6&_nc_ohc=invented&_nc_ht=scontent.xx&oh=7ef505d3&oe=5E899C70`;
const insight = (name: string, value: number, mediaId: string) => ({
  name,
  period: 'lifetime',
  values: [{ value }],
  title: name,
  description: `What ${name} means`,
  id: `${mediaId}/insights/${name}/lifetime`,
});

/** Instagram. */
export const PROVIDER_C_RECORDINGS: readonly Recording[] = [
  {
    source:
      'A public Go client, TestTokenResponse_NumericUserID: the flat answer with an id above 2^53; sns-sdks/python-facebook (Apache-2.0), testdata/base/long_term_token.json',
    call: 'exchange',
    answers: [
      '{"access_token": "IGAAinvented", "user_id": 27640875392278831, "permissions": ["instagram_business_basic"]}',
      { access_token: 'IGAAinventedLong', token_type: 'bearer', expires_in: 5_184_000 },
    ],
    expected: { tokens: { permissions: ['instagram_business_basic'] }, principal: '27640875392278831' },
  },
  {
    source: 'sns-sdks/python-facebook (Apache-2.0), testdata/instagram/apidata/users/user_fields.json',
    call: 'account',
    answers: [
      {
        id: '17841407673135339',
        biography: 'Small boats, big pots.',
        name: 'Harbour Kitchen',
        username: 'harbourkitchen',
        profile_picture_url: picture('119360396'),
        followers_count: 64_363,
        media_count: 427,
      },
    ],
    expected: {
      providerAccountId: '17841407673135339',
      aliasIds: [],
      profile: {
        displayName: 'Harbour Kitchen',
        handle: 'harbourkitchen',
        avatarUrl: picture('119360396'),
        profileUrl: 'https://www.instagram.com/harbourkitchen/',
        description: 'Small boats, big pots.',
      },
    },
  },
  {
    source:
      'sns-sdks/python-facebook (Apache-2.0), testdata/instagram/apidata/medias: media_default.json, insights.json and insights_new.json: a total beside breakdowns',
    call: 'read',
    permissions: ['instagram_business_basic', 'instagram_business_manage_insights'],
    answers: [
      {
        id: '17895731045244887',
        caption: 'ALBUM',
        comments_count: 0,
        children: {
          data: [
            {
              id: '17889214265226770',
              media_type: 'IMAGE',
              media_url: picture('223646625'),
              permalink: 'https://www.instagram.com/p/CRyZpjhDO_k/',
              shortcode: 'CRyZpjhDO_k',
              timestamp: '2021-07-26T10:45:19+0000',
            },
          ],
        },
        like_count: 2,
        media_type: 'CAROUSEL_ALBUM',
        media_url: picture('223646625'),
        permalink: 'https://www.instagram.com/p/CRyZpmrjYC4/',
        timestamp: '2021-07-26T10:45:20+0000',
      },
      {
        data: [
          insight('views', 8, '17895731045244887'),
          {
            name: 'shares',
            period: 'lifetime',
            title: 'Shares',
            description: 'What it means',
            total_value: {
              value: 11,
              breakdowns: [
                { dimension_keys: ['action_type'], results: [{ dimension_values: ['bio_link_clicked'], value: 11 }] },
              ],
            },
            id: '17895731045244887/insights/shares/lifetime',
          },
        ],
      },
    ],
    expected: [
      {
        providerContentId: '17895731045244887',
        kind: 'CAROUSEL',
        description: 'ALBUM',
        publishedAt: new Date('2021-07-26T10:45:20Z'),
        metrics: expect.arrayContaining(
          Object.entries({ VIEWS: '8', LIKES: '2', COMMENTS: '0', SHARES: '11' }).map(([name, value]) =>
            expect.objectContaining({ name, value }),
          ),
        ),
      },
    ],
  },
];

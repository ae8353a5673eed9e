import type { Recording } from './recording.ts';

const OPEN_ID = '-000inventedSORMWi9D4IFqm6ADJtH4KS3g';
const ok = { code: 'ok', message: '', log_id: '202605260603343CD776AC1BE6816281BF' };
const avatar = (size: number) =>
  `https://p16-common-sign.tiktokcdn.com/tos-alisg-avt-0068/invented~tplv-tiktokx-cropcenter:${size}:${size}.jpeg?dr=14579&refresh_token=61f34c4e&x-expires=1779919200&x-signature=invented%3D&shp=a5d48078&idc=my`;
const NOTHING = { data: { cursor: 0, has_more: false, videos: [] }, error: ok };

/** TikTok. */
export const PROVIDER_B_RECORDINGS: readonly Recording[] = [
  {
    source: 'NangoHQ/integration-templates, integrations/tiktok-personal/tests/get-user-info.test.json, 25 May 2026',
    call: 'account',
    permissions: ['user.info.basic'],
    answers: [
      {
        data: {
          user: {
            avatar_large_url: avatar(1080),
            avatar_url: avatar(168),
            avatar_url_100: avatar(100),
            display_name: 'harbourkitchen',
            open_id: OPEN_ID,
            union_id: 'eec4e4e6-0000-5000-b259-9502640da940',
          },
        },
        error: ok,
      },
    ],
    expected: {
      providerAccountId: OPEN_ID,
      aliasIds: [],
      profile: {
        displayName: 'harbourkitchen',
        handle: null,
        avatarUrl: avatar(1080),
        profileUrl: null,
        description: null,
      },
    },
  },
  {
    source: 'NangoHQ/integration-templates, integrations/tiktok-personal/tests/list-videos.test.json, 25 May 2026',
    call: 'list',
    answers: [NOTHING],
    expected: { items: [], cursor: null, reachedEnd: true },
  },
];

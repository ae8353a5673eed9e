import { findInPostUrl, inPath, inQuery, onHosts, type UrlForms } from '../post-urls.ts';

const SITE = new URL('https://www.youtube.com');

/** At the beginning of the rest, so that `youtu.be/ID&feature=share` has one, too. */
const ID = '([A-Za-z0-9_-]{11})(?![A-Za-z0-9_-])';
/** Names of players that look like ids. */
const NO_PLAYER = '(?!videoseries|live_stream)';
const PARAMETER = new RegExp(`^${ID}`);

const PAGES = [
  inPath(new RegExp(`^/(?:watch|shorts|live|video|embed|e|v|vi|source)/${NO_PLAYER}${ID}`, 'i')),
  inQuery(
    /^\/(?:watch(?:_popup|\.php)?|movie|live_chat(?:_replay)?|live_dashboard|details|edit|playlist|tv)?\/?$/i,
    ['v', 'vi'],
    PARAMETER,
  ),
  inQuery(/^\/(?:edit|my_videos_edit|get_video_info)$/i, ['video_id'], PARAMETER),
  inQuery(/^\/shared$/i, ['ci'], PARAMETER),
];

const FORMS: UrlForms = {
  ...onHosts(
    [
      'youtube.com',
      'www.youtube.com',
      'm.youtube.com',
      'music.youtube.com',
      'gaming.youtube.com',
      'kids.youtube.com',
      'tv.youtube.com',
      'youtubekids.com',
      'www.youtubekids.com',
      'youtube-nocookie.com',
      'www.youtube-nocookie.com',
      'youtube.googleapis.com',
      'www.youtubeeducation.com',
    ],
    PAGES,
  ),
  ...onHosts(['youtu.be', 'www.youtu.be', 'm.youtu.be'], [inPath(new RegExp(`^/${NO_PLAYER}${ID}`)), ...PAGES]),
  'studio.youtube.com': [inPath(new RegExp(`/video/${ID}`, 'i')), inQuery(/^/, ['v', 'udvid', 'videoid'], PARAMETER)],
  // Thumbnails.
  ...onHosts(['img.youtube.com', 'i.ytimg.com'], [inPath(new RegExp(`^/(?:vi|vi_webp)/${ID}`, 'i'))]),
};

export const buildWatchUrl = (id: string) => `https://www.youtube.com/watch?v=${id}`;

/** Reads the id from a video's URL, without a request. */
export const findVideoId = (text: string): string | undefined => findInPostUrl(FORMS, text, SITE);

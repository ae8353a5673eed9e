import { parseUrl } from '../text.ts';

const HOSTS = ['youtube.com', 'www.youtube.com', 'm.youtube.com', 'music.youtube.com'];
const ID = /^[A-Za-z0-9_-]{11}$/;

export const buildWatchUrl = (id: string) => `https://www.youtube.com/watch?v=${id}`;

/** Reads the id from a video's URL, without a request. Ignores other query parameters. */
export function findVideoId(href: string): string | undefined {
  const url = parseUrl(href);
  if (url?.protocol !== 'https:') return undefined;
  const id = findCandidate(url);
  return id !== undefined && ID.test(id) ? id : undefined;
}

function findCandidate({ hostname, pathname, searchParams }: URL): string | undefined {
  const path = pathname.replace(/\/$/, '');
  if (hostname === 'youtu.be') return path.slice(1);
  if (hostname === 'www.youtube-nocookie.com') return /^\/embed\/([^/]+)$/.exec(path)?.[1];
  if (!HOSTS.includes(hostname)) return undefined;
  if (path === '/watch') return searchParams.get('v') ?? undefined;
  return /^\/(?:shorts|live|embed|v)\/([^/]+)$/.exec(path)?.[1];
}

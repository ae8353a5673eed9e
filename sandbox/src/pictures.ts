import type { SandboxApp } from './endpoint.ts';
import { Random } from './random.ts';

/** An SVG avatar: pale discs over a gradient of two neighbouring colours. */
function drawAvatar(seed: string): string {
  const random = new Random(`avatar/${seed}`);
  const hue = random.int(0, 359);
  const discs = [0.34, 0.22, 0.5].map((opacity) => {
    const place = `cx="${random.int(16, 112)}" cy="${random.int(24, 120)}" r="${random.int(16, 44)}"`;
    return `<circle ${place} fill="#fff" fill-opacity="${opacity}"/>`;
  });
  return svg(128, 128, `hsl(${hue} 72% 58%)`, `hsl(${hue + 48} 68% 38%)`, discs.join(''));
}

/** An SVG landscape: a sky, a sun or moon, and three ranges of hills. */
function drawCover(seed: string, width: number, height: number): string {
  const random = new Random(`cover/${seed}`);
  const hue = random.int(0, 359);
  const isNight = random.int(1, 4) === 1;
  const light = isNight ? 18 : 72;
  const radius = Math.round(Math.min(width, height) * (0.09 + random.next() * 0.08));
  const sunX = random.int(Math.round(width * 0.15), Math.round(width * 0.85));
  const sunY = random.int(Math.round(height * 0.15), Math.round(height * 0.45));
  const sun = `<circle cx="${sunX}" cy="${sunY}" r="${radius}" fill="hsl(${hue + 45} 95% ${isNight ? 92 : 86}%)"/>`;
  const hills = [0, 1, 2].map((range) => {
    const colour = `hsl(${hue + 150 + range * 14} ${42 + range * 8}% ${Math.max(9, light - 30 - range * 13)}%)`;
    return `<path d="${hill(random, width, height, 0.5 + range * 0.16)}" fill="${colour}"/>`;
  });
  const sky = [`hsl(${hue} 75% ${light}%)`, `hsl(${hue + 55} 85% ${light + 12}%)`] as const;
  return svg(width, height, sky[0], sky[1], sun + hills.join(''));
}

function hill(random: Random, width: number, height: number, level: number): string {
  const y = () => Math.round(height * (level + (random.next() - 0.5) * 0.12));
  const [quarter, half] = [Math.round(width / 4), Math.round(width / 2)];
  return `M0 ${height}V${y()}Q${quarter} ${y()} ${half} ${y()}T${width} ${y()}V${height}Z`;
}

const svg = (width: number, height: number, top: string, bottom: string, inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
  `<defs><linearGradient id="g" x2=".4" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/>` +
  `</linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/>${inside}</svg>`;

/** The icon of the sandbox's pages: a sandcastle's tower. */
export const ICON_PATH = '/pictures/icon.svg';
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#8a4b00"/>' +
  '<path d="M7 26V12h4v3h3v-3h4v3h3v-3h4v14h-6v-5a3 3 0 0 0-6 0v5z" fill="#fff3dc"/></svg>';

/** Serves `/pictures/avatar/<seed>.svg` and `/pictures/cover/<seed>-<width>x<height>.svg` for any seed. */
export function servePictures(app: SandboxApp): void {
  const headers = { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' };
  app.get(ICON_PATH, () => new Response(ICON, { headers }));
  app.get(
    '/pictures/avatar/:name',
    ({ req }) => new Response(drawAvatar(req.param('name').replace(/\.svg$/, '')), { headers }),
  );
  app.get('/pictures/cover/:name', (context) => {
    const [, seed, width, height] = /^(.+)-(\d{2,4})x(\d{2,4})\.svg$/.exec(context.req.param('name')) ?? [];
    if (seed === undefined) return context.notFound();
    return new Response(drawCover(seed, Number(width), Number(height)), { headers });
  });
}

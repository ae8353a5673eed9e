import type { App } from './endpoint.ts';
import { Random } from './random.ts';

/** An SVG avatar: overlapping discs on a gradient, as lively as the seed wants it. */
export function avatar(seed: string): string {
  const random = new Random(`avatar/${seed}`);
  const hue = random.int(0, 359);
  const discs = Array.from({ length: 4 }, (_, index) => {
    const colour = `hsl(${hue + 40 + index * 28} 85% ${68 - index * 6}% / .75)`;
    return `<circle cx="${random.int(20, 108)}" cy="${random.int(30, 118)}" r="${random.int(18, 46)}" fill="${colour}"/>`;
  });
  return svg(128, 128, `hsl(${hue} 70% 46%)`, `hsl(${hue + 50} 75% 30%)`, discs.join(''));
}

/** An SVG landscape: a sky, a sun or moon, and three ranges of hills. */
export function cover(seed: string, width: number, height: number): string {
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
  const y = () => Math.round(height * (level + (random.next() - 0.5) * 0.18));
  const step = width / 3;
  let path = `M0 ${height}V${y()}`;
  for (let index = 0; index < 3; index++) {
    const from = Math.round(step * index);
    const [middle, end] = [Math.round(from + step / 2), Math.round(from + step)];
    path += `Q${middle} ${y()} ${end} ${y()}`;
  }
  return `${path}V${height}Z`;
}

const svg = (width: number, height: number, top: string, bottom: string, inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
  `<defs><linearGradient id="g" x2=".4" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/>` +
  `</linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/>${inside}</svg>`;

/** Serves `/pictures/avatar/<seed>.svg` and `/pictures/cover/<seed>-<width>x<height>.svg` for any seed. */
export function servePictures(app: App): void {
  const headers = { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' };
  app.get(
    '/pictures/avatar/:name',
    ({ req }) => new Response(avatar(req.param('name').replace(/\.svg$/, '')), { headers }),
  );
  app.get('/pictures/cover/:name', (context) => {
    const [, seed, width, height] = /^(.+)-(\d{2,4})x(\d{2,4})\.svg$/.exec(context.req.param('name')) ?? [];
    if (seed === undefined) return context.notFound();
    return new Response(cover(seed, Number(width), Number(height)), { headers });
  });
}

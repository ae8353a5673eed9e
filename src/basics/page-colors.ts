/**
 * The colors of a page in its app's color. An app may choose any color, and every text stays readable: WCAG 2.2, 1.4.3
 * asks for 4.5 : 1 for text, 1.4.11 for 3 : 1 for the outline of a control.
 */

type Rgb = readonly [red: number, green: number, blue: number];

/** The colors of every page. */
export const PAGE_GROUNDS = {
  light: { card: '#ffffff', edge: '#e2e5ea', text: '#1a1d23', quiet: '#596070' },
  dark: { card: '#1a1d24', edge: '#2d323c', text: '#eceef2', quiet: '#a5adbb' },
} as const;
export type ColorScheme = keyof typeof PAGE_GROUNDS;

/** Each as `#rrggbb`. */
export interface PageColors {
  /** The app's own color: the button. */
  readonly button: string;
  /** The button under the pointer. */
  readonly buttonOver: string;
  /** The text of the button. */
  readonly onButton: string;
  /** The app's color, moved until it stands out from the card: the icon, the edge of the button, the focus. */
  readonly accent: string;
  /** A hint of the color, behind the icon. */
  readonly tint: string;
}

const MIN_TEXT = 4.5;
const MIN_OUTLINE = 3;
const [WHITE, BLACK] = ['#ffffff', '#000000'];

/** @param color as `#rrggbb` */
export function derivePageColors(color: string, scheme: ColorScheme): PageColors {
  const { card } = PAGE_GROUNDS[scheme];
  // One of the two has at least 4.58 : 1 on any color.
  const onButton = measureContrast(WHITE, color) >= MIN_TEXT ? WHITE : BLACK;
  const away = scheme === 'light' ? BLACK : WHITE;
  const steps = Array.from({ length: 21 }, (_, step) => mix(color, away, step / 20));
  const tintOf = (accent: string) => mix(card, accent, 0.12);
  const accent = steps.find((one) => measureContrast(one, tintOf(one)) >= MIN_OUTLINE) ?? away;
  return {
    button: color,
    buttonOver: mix(color, onButton === WHITE ? BLACK : WHITE, 0.15),
    onButton,
    accent,
    tint: tintOf(accent),
  };
}

/** The contrast ratio of two colors, 1 to 21 (WCAG 2.2, "contrast ratio"). */
function measureContrast(one: string, other: string): number {
  const [high, low] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminanceOf(color: string): number {
  const [red, green, blue] = parse(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param share of the second color, 0 to 1 */
function mix(one: string, other: string, share: number): string {
  const [from, to] = [parse(one), parse(other)];
  const mixed = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

const parse = (color: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb;

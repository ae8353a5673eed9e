import { describe, expect, test } from 'vitest';
import { derivePageColors, measureContrast, PAGE_GROUNDS } from '../../src/basics/page-colors.ts';

/** 16 steps of each primary: 4,096 colors. */
const STEPS = Array.from({ length: 16 }, (_, step) => (step * 17).toString(16).padStart(2, '0'));
const COLORS = STEPS.flatMap((red) => STEPS.flatMap((green) => STEPS.map((blue) => `#${red}${green}${blue}`)));

test('contrast is that of WCAG', () => {
  // Values of other calculators.
  expect(measureContrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(measureContrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  expect(measureContrast('#ff0000', '#ffffff')).toBeCloseTo(3.998, 2);
  expect(measureContrast('#123456', '#123456')).toBe(1);
});

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  const { card } = PAGE_GROUNDS[scheme];
  const derived = COLORS.map((color) => ({ color, ...derivePageColors(color, scheme) }));

  test('the text of the button is readable on every color, also under the pointer', () => {
    const unreadable = derived.filter(
      ({ button, buttonOver, onButton }) =>
        measureContrast(onButton, button) < 4.5 || measureContrast(onButton, buttonOver) < 4.5,
    );
    expect(unreadable).toEqual([]);
  });

  test('the icon, the edge of the button and the focus stand out', () => {
    const lost = derived.filter(
      ({ accent, tint }) => measureContrast(accent, card) < 3 || measureContrast(accent, tint) < 3,
    );
    expect(lost).toEqual([]);
  });

  test('the button has exactly the color of the app', () => {
    expect(derived.filter(({ color, button }) => color !== button)).toEqual([]);
  });
});

test('a color that stands out already stays as it is', () => {
  expect(derivePageColors('#2b50c8', 'light').accent).toBe('#2b50c8');
  expect(derivePageColors('#a3bbff', 'dark').accent).toBe('#a3bbff');
});

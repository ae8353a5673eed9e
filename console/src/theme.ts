import {
  Badge,
  Button,
  type CSSVariablesResolver,
  createTheme,
  InputWrapper,
  Notification,
  Tooltip,
} from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  cursorType: 'pointer',
  defaultRadius: 'md',
  headings: { fontWeight: '650' },
  components: {
    // Without this, a badge in a narrow cell shrinks and shows `disc…`.
    Badge: Badge.extend({ defaultProps: { miw: 'max-content' } }),
    // The same: a button in a narrow row must not shrink and cut its label. On a phone, its width is the most.
    Button: Button.extend({ defaultProps: { flex: 'none', maw: '100%' } }),
    // Within the page's landmarks.
    Tooltip: Tooltip.extend({ defaultProps: { portalProps: { target: '#content' } } }),
    // Above the field, where a phone's keyboard does not cover it, and where it does not move the fields beside it.
    InputWrapper: InputWrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'description', 'error', 'input'] },
    }),
    // Mantine gives this button no name.
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
  },
});

/** Mantine's colors for dimmed text and errors have less contrast than WCAG 2.2 requires (4.5 to 1). */
export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-red-outline': colors.red[9],
    '--mantine-color-teal-light-color': '#06694b',
    '--mantine-color-orange-light-color': '#9a3503',
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-error': colors.red[4],
    '--mantine-color-indigo-light-color': colors.indigo[3], // Mantine's is white: a button like a link would not look like one.
  },
});

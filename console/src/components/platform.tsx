import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PLATFORM_NAMES, type ProviderName } from '../../../src/basics/codes.ts';

/** Plain shapes that resemble each platform without copying its logo. Any other platform has a circle. */
const GLYPHS: Readonly<Partial<Record<ProviderName, ReactNode>>> = {
  PROVIDER_A: (
    <>
      <rect x="1" y="3" width="14" height="10" rx="2.5" />
      <path d="M6.5 5.7v4.6L10.6 8z" fill="currentColor" stroke="none" />
    </>
  ),
  PROVIDER_B: (
    <>
      <path d="M9 2.2v8.3" />
      <circle cx="6.4" cy="11" r="2.7" />
      <path d="M9 2.2c.4 2.3 2 3.7 4.200 3.9" />
    </>
  ),
  PROVIDER_C: (
    <>
      <rect x="1.8" y="1.8" width="12.4" height="12.4" rx="3.5" />
      <circle cx="8" cy="8" r="2.9" />
      <circle cx="11.4" cy="4.6" r=".8" fill="currentColor" stroke="none" />
    </>
  ),
};

/** The sign of a platform, without a name: one stands beside it. */
const PlatformGlyph = ({ of, size = 16 }: { of: ProviderName; size?: number }) => (
  <svg
    viewBox="0 0 16 16"
    width={size}
    height={size}
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    style={{ flex: 'none' }}
  >
    {GLYPHS[of] ?? <circle cx="8" cy="8" r="5.5" />}
  </svg>
);

interface PlatformNameProps {
  readonly of: ProviderName;
  /** Shows more than the platform's name, beside its sign. */
  readonly children?: ReactNode;
}

/** A platform by its sign and its name. The name that the API and the logs use is its tooltip. */
export const PlatformName = ({ of, children = PLATFORM_NAMES[of] }: PlatformNameProps) => (
  <span className="line" style={{ columnGap: 6 }} title={`${PLATFORM_NAMES[of]} is ${of} in the API.`}>
    <PlatformGlyph of={of} />
    <Text span inherit truncate>
      {children}
    </Text>
  </span>
);

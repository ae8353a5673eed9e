/** Outlines on a grid of 24 units, drawn for this console. */
const PATHS = {
  activity: 'M3 12h4l3 8 4-16 3 8h4',
  alert: 'M12 4L2.5 20h19zM12 10v4M12 17v.01',
  app: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  attempts: 'M14 4h5v16h-5M4 12h10M10 8l4 4-4 4',
  audit: 'M6 3h9l4 4v14H6zM14 3v5h5M9.5 12.5h6M9.5 16.5h6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  chevronDown: 'M6 9l6 6 6-6',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2',
  close: 'M6 6l12 12M18 6L6 18',
  collapse: 'M4 5h16v14H4zM9 5v14M16 9.5L13.5 12l2.5 2.5',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  connections: 'M10 14l4-4M11.5 7.5l2-2a4 4 0 0 1 5.5 5.5l-2 2M12.5 16.5l-2 2A4 4 0 0 1 5 13l2-2',
  disconnects: 'M11.5 7.5l2-2a4 4 0 0 1 5.5 5.5l-2 2M12.5 16.5l-2 2A4 4 0 0 1 5 13l2-2M4 4l16 16',
  erasures: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  expand: 'M4 5h16v14H4zM9 5v14M13.5 9.5L16 12l-2.5 2.5',
  filter: 'M4 6h16M7 12h10M10.5 18h3',
  issuers: 'M12 3l8 3v6c0 4.5-3.5 7.5-8 9-4.5-1.5-8-4.5-8-9V6zM8.5 12l2.5 2.5 4.5-4.5',
  jobs: 'M4 6h3M4 12h3M4 18h3M10.5 6H20M10.5 12H20M10.5 18H20',
  more: 'M5 12v.01M12 12v.01M19 12v.01',
  operators: 'M14.5 4a5.5 5.5 0 0 0-5 7.5L3 18v3h4v-3h3v-3l2.5-1.5a5.5 5.5 0 1 0 2-9.5zM16 8.5v.01',
  overview: 'M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-6h4v6',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.5-6 6-6s6 2.5 6 6M16 4.5a3.5 3.5 0 0 1 0 6.5M17.5 14.5c2.2.8 3.5 2.8 3.5 5.5',
  plus: 'M12 5v14M5 12h14',
  registrations: 'M3 6h18v13H3zM3 10h18M7 15h4',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20',
  trends: 'M4 4v16h16M8 15l3.5-4 3 2.5L20 7',
  unknown: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .9-1 1.7M12 16.5v.01',
  webhooks: 'M4 5h16v11h-5l-3 4-3-4H4zM8.5 10.5h7M13 8l2.5 2.5L13 13',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon in the color of its text. It has no accessible name: the text beside it has the meaning. */
export const Icon = ({ name, size = 18 }: { name: IconName; size?: number }) => (
  <svg
    viewBox="0 0 24 24"
    width={size}
    height={size}
    fill="none"
    stroke="currentColor"
    strokeWidth={size > 32 ? 1.25 : 1.75}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    style={{ flex: 'none' }}
  >
    <path d={PATHS[name]} />
  </svg>
);

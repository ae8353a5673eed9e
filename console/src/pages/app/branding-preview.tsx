import { type ColorScheme, derivePageColors, PAGE_GROUNDS } from '../../../../src/basics/page-colors.ts';
import classes from './branding-preview.module.css';

interface BrandingPreviewProps {
  readonly scheme: ColorScheme;
  readonly name: string;
  /** As `#rrggbb`; null for the service's own. */
  readonly color: string | null;
  readonly logoUrl: string | null;
}

/** The service's own, as its style sheet has them. */
const OWN_COLORS = {
  light: { button: '#2b50c8', onButton: '#ffffff', accent: 'transparent' },
  dark: { button: '#a3bbff', onButton: '#101a3a', accent: 'transparent' },
};

/** Draws a page as people see it, with the colors that the service derives. */
export function BrandingPreview({ scheme, name, color, logoUrl }: BrandingPreviewProps) {
  const { card, edge, text, quiet } = PAGE_GROUNDS[scheme];
  const { button, onButton, accent } = color === null ? OWN_COLORS[scheme] : derivePageColors(color, scheme);
  return (
    <figure className={classes.figure}>
      <div className={classes.card} style={{ background: card, borderColor: edge, color: text }}>
        {logoUrl !== null && (
          <img className={classes.logo} style={{ borderColor: edge }} src={logoUrl} alt={`The logo, ${scheme}`} />
        )}
        <p style={{ color: quiet }}>Connect an account · {name}</p>
        <p className={classes.heading}>This link has expired</p>
        <div
          className={classes.button}
          style={{ background: button, color: onButton, boxShadow: `inset 0 0 0 1px ${accent}` }}
        >
          Back to {name}
        </div>
      </div>
      <figcaption>{scheme === 'light' ? 'Light' : 'Dark'}</figcaption>
    </figure>
  );
}

import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { PageLanguage } from '../../store/branding.ts';
import type { Mood } from './layout.tsx';
import type { Refusal } from './refused.ts';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { ptBr } from './texts/pt-br.ts';

/** The status and the picture of each refusal's page. */
export const REFUSAL_PAGES: Readonly<
  Record<Refusal, { readonly status: ContentfulStatusCode; readonly mood: Exclude<Mood, 'done'> }>
> = {
  wrongMethod: { status: 405, mood: 'lost' },
  wrongForm: { status: 400, mood: 'lost' },
  formTooLarge: { status: 413, mood: 'lost' },
  launchUnknown: { status: 404, mood: 'lost' },
  launchUsed: { status: 409, mood: 'stop' },
  launchExpired: { status: 410, mood: 'wait' },
  wrongOrigin: { status: 403, mood: 'stop' },
  notAllowed: { status: 403, mood: 'stop' },
  paused: { status: 403, mood: 'wait' },
  disconnecting: { status: 409, mood: 'wait' },
  callbackUnknown: { status: 404, mood: 'lost' },
  callbackExpired: { status: 410, mood: 'wait' },
  wrongBrowser: { status: 403, mood: 'stop' },
  answerUnusable: { status: 400, mood: 'stop' },
  prefetch: { status: 503, mood: 'wait' },
  tooManyTries: { status: 429, mood: 'wait' },
  unavailable: { status: 503, mood: 'wait' },
};

/** A refusal: the cause and the next step. */
export interface RefusalTexts {
  readonly title: string;
  readonly what: string;
  readonly todo: string;
}

export interface FlowTexts {
  readonly headline: string;
  /** Says that nothing has changed, as in "Nothing was connected." */
  readonly nothing: string;
  /** Names the task, as in "connecting an account". */
  readonly doing: string;
}

/**
 * All texts of one language. In them, `{app}` is the app's name or `unknownApp`; `{nothing}` and `{doing}` are those of the
 * flow; `{date}` is a day.
 */
export interface PageTexts {
  /** Stands for an app whose name is unknown. */
  readonly unknownApp: string;
  readonly back: string;
  readonly reference: string;
  readonly connect: FlowTexts;
  readonly identity: FlowTexts;
  readonly refusals: Readonly<Record<Refusal, RefusalTexts>>;
  readonly deletion: {
    readonly about: string;
    readonly unknown: string;
    readonly checkAddress: string;
    readonly done: string;
    readonly running: string;
    readonly received: string;
    readonly afterwards: string;
    readonly meanwhile: string;
    readonly code: string;
  };
}

/** Native speakers have not reviewed the translations. */
export const PAGE_TEXTS: Readonly<Record<PageLanguage, PageTexts>> = { en, de, fr, es, 'pt-BR': ptBr };

/** Replaces the placeholders of a text. Values are never read for placeholders. */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);

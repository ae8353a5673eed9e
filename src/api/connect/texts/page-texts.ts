import type { Refusal } from '../refused.ts';

/** A refusal: the cause and the next step. */
export interface RefusalTexts {
  readonly title: string;
  readonly what: string;
  readonly todo: string;
}

export interface FlowTexts {
  readonly headline: string;
  /** States that nothing has changed, as in "Nothing was connected." */
  readonly nothing: string;
  /** Names the task, as in "connecting an account". */
  readonly doing: string;
}

/**
 * All texts of one language. In them, `{app}` is the app's name or `unknownApp`; `{nothing}` and `{doing}` are those of the
 * flow; `{date}` is a day; `{operator}` is who operates the service.
 */
export interface PageTexts {
  /** Stands for an app whose name is unknown. */
  readonly unknownApp: string;
  readonly back: string;
  readonly reference: string;
  /** The foot of each page: who operates the service, and the names of the links. */
  readonly operator: {
    readonly by: string;
    readonly contact: string;
    readonly privacy: string;
    readonly terms: string;
  };
  readonly connect: FlowTexts;
  readonly identity: FlowTexts;
  /** The page that takes the browser on to the platform, or back to the app. */
  readonly onward: { readonly title: string; readonly link: string };
  readonly refusals: Readonly<Record<Refusal, RefusalTexts>>;
  readonly deletion: {
    readonly about: string;
    readonly unknown: string;
    readonly checkAddress: string;
    readonly done: string;
    readonly running: string;
    readonly received: string;
    readonly nothing: string;
    readonly nothingFound: string;
    readonly afterwards: string;
    readonly spared: string;
    readonly kept: string;
    readonly copies: string;
    readonly meanwhile: string;
    readonly code: string;
  };
}

// A custom element for web pages: `<connect-accounts>` lists providers with a button to connect each. It is one file without
// imports, so that a page can load it with a script tag.

/** The state of a provider, as your backend gives it. */
export type ProviderState = 'READY' | 'NOT_CONFIGURED' | 'CONNECTED' | 'RECONNECT_REQUIRED' | 'SUSPENDED';

/** One entry of the list: a provider, or an account at it. */
export interface ProviderEntry {
  /** Sent to your backend as the form field `provider`. */
  readonly provider: string;
  /** The name that people know, such as the platform's. */
  readonly name: string;
  readonly state: ProviderState;
  /** The name of the account, or the names of several. */
  readonly account?: string;
  /** Adds a button for one more account if the state is CONNECTED. */
  readonly canAddAccount?: boolean;
  /** Sent as the form field `reconnectConnectionId` if the state is RECONNECT_REQUIRED. */
  readonly connectionId?: string;
}

const KEYS = [
  'connect',
  'addAccount',
  'reconnect',
  'opening',
  'ready',
  'notConfigured',
  'connected',
  'connectedAs',
  'reconnectRequired',
  'suspended',
] as const;
export type TextKey = (typeof KEYS)[number];
export type ButtonTexts = Readonly<Record<TextKey, string>>;

/** `{name}` is the provider's name, `{account}` the account's. Native speakers have not reviewed these translations. */
export const BUTTON_TEXTS = {
  en: {
    connect: 'Connect {name}',
    addAccount: 'Add {name} account',
    reconnect: 'Reconnect {name}',
    opening: 'Opening {name}…',
    ready: 'Not connected',
    notConfigured: 'Not available at the moment',
    connected: 'Connected',
    connectedAs: 'Connected as {account}',
    reconnectRequired: 'Access has ended. Reconnect to continue.',
    suspended: 'On hold. It resumes automatically.',
  },
  de: {
    connect: '{name} verbinden',
    addAccount: '{name}-Konto hinzufügen',
    reconnect: '{name} erneut verbinden',
    opening: '{name} wird geöffnet …',
    ready: 'Nicht verbunden',
    notConfigured: 'Zurzeit nicht verfügbar',
    connected: 'Verbunden',
    connectedAs: 'Verbunden als {account}',
    reconnectRequired: 'Der Zugriff ist beendet. Verbinden Sie das Konto erneut.',
    suspended: 'Angehalten. Es geht von selbst weiter.',
  },
  fr: {
    connect: 'Associer {name}',
    addAccount: 'Ajouter un compte {name}',
    reconnect: 'Associer de nouveau {name}',
    opening: 'Ouverture de {name}…',
    ready: 'Non associé',
    notConfigured: 'Indisponible pour le moment',
    connected: 'Associé',
    connectedAs: 'Associé : {account}',
    reconnectRequired: 'L’accès a pris fin. Associez de nouveau le compte.',
    suspended: 'En attente. La reprise est automatique.',
  },
  es: {
    connect: 'Vincular {name}',
    addAccount: 'Añadir cuenta de {name}',
    reconnect: 'Volver a vincular {name}',
    opening: 'Abriendo {name}…',
    ready: 'Sin vincular',
    notConfigured: 'No disponible en este momento',
    connected: 'Vinculada',
    connectedAs: 'Vinculada como {account}',
    reconnectRequired: 'El acceso ha terminado. Vuelve a vincular la cuenta.',
    suspended: 'En espera. Se reanuda automáticamente.',
  },
  'pt-BR': {
    connect: 'Vincular {name}',
    addAccount: 'Adicionar conta de {name}',
    reconnect: 'Vincular {name} novamente',
    opening: 'Abrindo {name}…',
    ready: 'Não vinculada',
    notConfigured: 'Indisponível no momento',
    connected: 'Vinculada',
    connectedAs: 'Vinculada como {account}',
    reconnectRequired: 'O acesso terminou. Vincule a conta novamente.',
    suspended: 'Em espera. A retomada é automática.',
  },
} as const satisfies Record<string, ButtonTexts>;

type Language = keyof typeof BUTTON_TEXTS;

type ButtonKey = 'connect' | 'addAccount' | 'reconnect';

const STATES: Readonly<Record<ProviderState, { text: TextKey; button?: ButtonKey }>> = {
  READY: { text: 'ready', button: 'connect' },
  NOT_CONFIGURED: { text: 'notConfigured' },
  CONNECTED: { text: 'connected' },
  RECONNECT_REQUIRED: { text: 'reconnectRequired', button: 'reconnect' },
  SUSPENDED: { text: 'suspended' },
};

/**
 * Colors follow the page's `color-scheme`. The first of two values is for browsers without `light-dark()`. The focus is a dark
 * ring in a light one: one of the two shows on any ground.
 */
const STYLE = `
:host { display: block; font: var(--connect-font, inherit); color: var(--connect-text, inherit); }
:host([hidden]) { display: none; }
ul { display: grid; gap: var(--connect-gap, .75rem); margin: 0; padding: 0; list-style: none; }
li {
  display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; padding: .875rem 1rem; overflow-wrap: anywhere;
  border: 1px solid var(--connect-edge, #d4d8e0); border-radius: var(--connect-radius, .75rem);
  background: var(--connect-ground, transparent);
}
@supports (color: light-dark(#000, #fff)) { li { border-color: var(--connect-edge, light-dark(#d4d8e0, #434957)); } }
div { flex: 1 1 10rem; min-width: 0; }
strong, span { display: block; }
span { color: var(--connect-quiet, inherit); font-size: .9375em; }
form { margin: 0; max-width: 100%; }
button {
  max-width: 100%; min-height: 2.75rem; padding: .5rem 1.125rem; border: 2px solid transparent; cursor: pointer;
  border-radius: var(--connect-radius, .75rem); background: var(--connect-accent, #2b50c8);
  color: var(--connect-on-accent, #fff); font: inherit; font-weight: 600; overflow-wrap: anywhere;
}
button:hover { filter: brightness(.92); }
button:focus-visible {
  outline: 3px solid var(--connect-focus, #fff); outline-offset: 3px;
  box-shadow: 0 0 0 3px var(--connect-focus, #14182b);
}
form { color: var(--connect-text, inherit); }
button:disabled { cursor: progress; }
button[part~=add] { border: 1px solid; background: transparent; color: inherit; }
@media (forced-colors: active) { button { border-color: ButtonText; } }
`;

// Servers may import this module for its types and texts. They have no elements.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/**
 * `<connect-accounts action="/connect" providers='[{"provider":"PROVIDER_A","name":"…","state":"READY"}]'>`
 *
 * Each button submits a form to `action`, in the same tab, with the field `provider`, `reconnectConnectionId` if the entry
 * needs a reconnect, and copies of the element's own `<input type="hidden">` children, such as your CSRF token. `action` must
 * be of the page's own origin: your backend answers with the page of `launchForm()`. The element never gets a launch token.
 *
 * Without script, the element's other children are shown instead.
 */
export class ConnectAccountsElement extends Base {
  static readonly observedAttributes = ['action', 'providers', 'texts', 'lang'];
  #restore = (event: PageTransitionEvent): void => {
    if (event.persisted) this.#render(); // Back from the provider: the buttons work again.
  };

  connectedCallback(): void {
    if (this.shadowRoot === null) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
      this.attachShadow({ mode: 'open', delegatesFocus: true }).adoptedStyleSheets = [sheet];
    }
    addEventListener('pageshow', this.#restore);
    this.#render();
  }

  disconnectedCallback(): void {
    removeEventListener('pageshow', this.#restore);
  }

  attributeChangedCallback(): void {
    if (this.isConnected && this.shadowRoot !== null) this.#render();
  }

  /** The entries, as in the attribute `providers`. */
  get providers(): readonly ProviderEntry[] {
    const entries = readJson(this.getAttribute('providers'));
    return Array.isArray(entries) ? entries.filter(isEntry) : [];
  }

  set providers(entries: readonly ProviderEntry[]) {
    this.setAttribute('providers', JSON.stringify(entries));
  }

  /** Replaces single texts of the chosen language, as in the attribute `texts`. */
  get texts(): Partial<ButtonTexts> {
    const texts = readJson(this.getAttribute('texts'));
    return typeof texts === 'object' && texts !== null ? texts : {};
  }

  set texts(texts: Partial<ButtonTexts>) {
    this.setAttribute('texts', JSON.stringify(texts));
  }

  #render(): void {
    const language = this.#findLanguage();
    const texts: ButtonTexts = { ...BUTTON_TEXTS[language], ...this.texts };
    const list = make('ul', { part: 'list', role: 'list', lang: language });
    list.append(...this.providers.map((entry) => this.#createItem(entry, texts)));
    this.shadowRoot?.replaceChildren(list);
  }

  #createItem(entry: ProviderEntry, texts: ButtonTexts): HTMLElement {
    const isConnected = entry.state === 'CONNECTED';
    const { text, button = isConnected && entry.canAddAccount ? 'addAccount' : undefined } = STATES[entry.state];
    const key = isConnected && entry.account ? 'connectedAs' : text;
    const item = make('li', { part: `provider ${entry.state.toLowerCase().replaceAll('_', '-')}` });
    const about = make('div', {});
    about.append(make('strong', { part: 'name' }, entry.name));
    if (entry.account && !isConnected) about.append(make('span', { part: 'account' }, entry.account));
    about.append(make('span', { part: 'state' }, fill(texts[key], entry)));
    item.append(about);
    const action = this.#findAction();
    if (button !== undefined && action !== undefined) item.append(this.#createForm(entry, action, button, texts));
    return item;
  }

  #createForm(entry: ProviderEntry, action: string, key: ButtonKey, texts: ButtonTexts): HTMLFormElement {
    const form = make('form', { method: 'post', action, target: '_self', part: 'form' });
    const fields: [string, string][] = [['provider', entry.provider]];
    if (key === 'reconnect' && entry.connectionId) fields.push(['reconnectConnectionId', entry.connectionId]);
    for (const { name, value } of this.querySelectorAll<HTMLInputElement>(':scope > input[type=hidden]')) {
      fields.push([name, value]);
    }
    for (const [name, value] of fields) form.append(make('input', { type: 'hidden', name, value }));
    const button = make(
      'button',
      { type: 'submit', part: `button ${key === 'addAccount' ? 'add' : key}` },
      fill(texts[key], entry),
    );
    form.append(button);
    form.addEventListener('submit', () => {
      button.disabled = true; // A second press would create a second attempt.
      button.textContent = fill(texts.opening, entry);
    });
    return form;
  }

  /** The target of the forms. Undefined if it is missing or of another origin: only your backend may get these forms. */
  #findAction(): string | undefined {
    const action = this.getAttribute('action');
    if (action !== null && URL.canParse(action, document.baseURI)) {
      const url = new URL(action, document.baseURI);
      if (url.origin === location.origin) return url.href;
    }
    console.error('<connect-accounts> needs an "action" of the page\'s own origin.');
    return undefined;
  }

  #findLanguage(): Language {
    const wanted = [this.closest('[lang]')?.getAttribute('lang'), ...navigator.languages];
    const known = Object.keys(BUTTON_TEXTS) as Language[];
    for (const tag of wanted) {
      const primary = (tag ?? '').toLowerCase().split('-')[0];
      const match = known.find((language) => language.split('-')[0] === primary);
      if (match !== undefined) return match;
    }
    return 'en';
  }
}

const fill = (text: string, { name, account = '' }: ProviderEntry): string =>
  text.replace(/\{(name|account)\}/g, (_, key) => (key === 'name' ? name : account));

function make<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, attributes: Record<string, string>, text?: string) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function readJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    console.error('<connect-accounts> has an attribute that is not JSON.');
    return null;
  }
}

const isEntry = (entry: unknown): entry is ProviderEntry =>
  typeof entry === 'object' &&
  entry !== null &&
  'provider' in entry &&
  'name' in entry &&
  'state' in entry &&
  Object.hasOwn(STATES, String(entry.state));

globalThis.customElements?.define('connect-accounts', ConnectAccountsElement);

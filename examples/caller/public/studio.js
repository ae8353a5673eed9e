// Every page works without this script: forms have buttons, and a link refreshes a page with running work.

const page = document.body.dataset;
/** The pace of a page with running work while its stream is open. Events come sooner; this is for one that never comes. */
const SLOW_SECONDS = 20;
/** After a refresh or a stream that failed. */
const RETRY_SECONDS = 5;

/** @type {EventSource | undefined} */
let stream;
let timer = 0;
let isRefreshing = false;
let hasChanged = false;

/** Fetches the page again and replaces the changed parts marked `data-live`. */
async function refresh() {
  clearTimeout(timer);
  if (document.hidden) return; // The page catches up when it is in view again.
  hasChanged = isRefreshing;
  if (isRefreshing) return;
  isRefreshing = true;
  const isFresh = await replaceParts();
  isRefreshing = false;
  if (!isFresh) return schedule(RETRY_SECONDS);
  return hasChanged ? refresh() : schedule(page.follow);
}

/** @returns false if the server did not answer */
async function replaceParts() {
  const response = await fetch(location.href, { headers: { 'x-follow': '1' } }).catch(() => undefined);
  if (response === undefined || response.status >= 500) return false;
  if (response.redirected || !response.ok) {
    location.replace(response.url);
    return true;
  }
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (listParts(next) !== listParts(document)) showNext(next);
  else
    for (const part of document.querySelectorAll('[data-live]')) {
      const fresh = next.getElementById(part.id);
      if (fresh === null || fresh.innerHTML === part.innerHTML) continue;
      if (part.contains(document.activeElement)) {
        part.addEventListener('focusout', refresh, { once: true }); // The person is using this part.
      } else part.replaceChildren(...fresh.childNodes);
    }
  document.title = next.title;
  delete page.follow;
  Object.assign(page, next.body.dataset);
  return true;
}

/** @param {Document} page */
const listParts = (page) => [...page.querySelectorAll('[data-live]')].map(({ id }) => id).join();

/**
 * Shows all of a page that has other parts: after a failure, for example. The focus informs a screen reader. A person who is typing
 * finishes first.
 * @param {Document} next
 */
function showNext(next) {
  const [main, fresh] = [document.querySelector('main'), next.querySelector('main')];
  const { activeElement } = document;
  if (main === null || fresh === null) return location.reload();
  if (activeElement instanceof HTMLInputElement && activeElement.type !== 'checkbox') {
    return activeElement.addEventListener('focusout', refresh, { once: true });
  }
  main.replaceChildren(...fresh.childNodes);
  main.tabIndex = -1;
  main.focus();
}

/** @param {string | number | undefined} seconds undefined if no work is running */
function schedule(seconds) {
  clearTimeout(timer);
  if (seconds === undefined) return;
  const least = stream?.readyState === EventSource.OPEN ? SLOW_SECONDS : 0;
  timer = setTimeout(refresh, Math.max(Number(seconds), least) * 1000);
}

/** Opens the stream on which the server announces that the page shows old data. Without one, the page polls. */
function listen() {
  const isLive = page.follow !== undefined || document.querySelector('[data-live]') !== null;
  if (!isLive || page.seen === undefined || stream !== undefined) return;
  stream = new EventSource(`/events?seen=${page.seen}`);
  stream.addEventListener('changed', refresh);
  stream.addEventListener('open', () => schedule(page.follow));
  stream.addEventListener('error', () => {
    if (stream?.readyState === EventSource.CLOSED) {
      stream = undefined; // Refused: the session has ended, or it has too many streams.
      setTimeout(() => document.hidden || listen(), SLOW_SECONDS * 1000);
      void refresh();
    } else schedule(page.follow); // The browser reconnects.
  });
}

// A page out of view has no stream: browsers allow only a few connections to one host.
function follow() {
  if (!document.hidden) {
    listen();
    return schedule(page.follow);
  }
  clearTimeout(timer);
  stream?.close();
  stream = undefined;
}
document.addEventListener('visibilitychange', follow);
follow();

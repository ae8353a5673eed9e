// Every page works without this script: forms have buttons, and a link refreshes a page with running work.

/** Fetches the page again and replaces the changed parts marked `data-live`. */
async function refresh() {
  if (document.hidden) return schedule(document.body.dataset.follow);
  const response = await fetch(location.href, { headers: { 'x-follow': '1' } }).catch(() => undefined);
  if (response === undefined || response.status >= 500) return schedule(document.body.dataset.follow);
  if (response.redirected || !response.ok) return location.replace(response.url);
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) {
    const fresh = next.getElementById(part.id);
    if (fresh === null || fresh.innerHTML === part.innerHTML) continue;
    if (part.contains(document.activeElement)) continue; // The person is using this part.
    part.replaceChildren(...fresh.childNodes);
  }
  document.title = next.title;
  schedule(next.body.dataset.follow);
}

/** @param {string | undefined} seconds */
function schedule(seconds) {
  if (seconds !== undefined) setTimeout(refresh, Number(seconds) * 1000);
}

schedule(document.body.dataset.follow);

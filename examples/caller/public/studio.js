// Every page works without this file: forms have buttons, and what is under way can be refreshed by hand.

document.querySelector('form[data-launch]')?.submit();

/** Asks for the page again and puts in place what has changed in the parts marked `data-live`. */
async function follow() {
  if (document.hidden) return again(document.body.dataset.follow);
  const response = await fetch(location.href, { headers: { 'x-follow': '1' } }).catch(() => undefined);
  if (response === undefined || response.status >= 500) return again(document.body.dataset.follow);
  if (response.redirected || !response.ok) return location.replace(response.url);
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) {
    const fresh = next.getElementById(part.id);
    if (fresh === null || fresh.innerHTML === part.innerHTML) continue;
    if (part.contains(document.activeElement)) continue; // Somebody is using it.
    part.replaceChildren(...fresh.childNodes);
  }
  document.title = next.title;
  again(next.body.dataset.follow);
}

/** @param {string | undefined} seconds */
function again(seconds) {
  if (seconds !== undefined) setTimeout(follow, Number(seconds) * 1000);
}

again(document.body.dataset.follow);

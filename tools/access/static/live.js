"use strict";
// Renews the marked part of a page when the chain grew. A page is whole without it.
(() => {
  const part = document.querySelector("[data-live]");
  const bar = document.querySelector("[data-live-bar]");
  if (!part || !bar || !window.EventSource) return;
  const button = bar.querySelector("button");
  const least = Number(part.dataset.live) * 1000;
  let shown = Number(part.dataset.position);
  let known = shown;
  let paused = false;
  let timer = null;
  let next = Date.now() + least;
  bar.hidden = false;

  const offerCopies = () => {
    for (const one of part.querySelectorAll("[data-copy]")) one.hidden = false;
  };
  part.addEventListener("click", (event) => {
    const copied = event.target.closest("[data-copy]");
    if (copied) navigator.clipboard.writeText(document.getElementById(copied.dataset.copy).textContent);
  });
  if (navigator.clipboard) offerCopies();

  const plan = () => {
    if (timer === null && !paused && known > shown) {
      timer = setTimeout(renew, Math.max(next - Date.now(), 0));
    }
  };

  const renew = async () => {
    timer = null;
    if (paused || part.contains(document.activeElement)) {
      next = Date.now() + least;
      return plan();
    }
    const begun = Date.now();
    try {
      const answer = await fetch(location.href, { headers: { "Gameledger-Live": "1" }, redirect: "error" });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-live]");
      if (answer.ok && fresh && !paused && !part.contains(document.activeElement)) {
        part.replaceChildren(...fresh.childNodes);
        if (navigator.clipboard) offerCopies();
        part.dataset.position = fresh.dataset.position;
        shown = Number(fresh.dataset.position);
      }
    } catch {
      // the connection of the events tells when the service is back
    }
    next = Date.now() + Math.max(least, (Date.now() - begun) * 10);
    plan();
  };

  const source = new EventSource("/live");
  source.addEventListener("chain", (event) => {
    known = Number(event.data);
    plan();
  });
  source.addEventListener("over", () => {
    source.close();
    bar.hidden = true;
  });
  button.addEventListener("click", () => {
    paused = !paused;
    button.setAttribute("aria-pressed", String(paused));
    plan();
  });
})();

// Loads a page again if a part of it cannot be loaded: at once, later after 2, 4, 8 … 60 seconds, which it shows. It is
// inline in each page, because a file of its own could be the part that is missing.
;(() => {
  const FAILURES = 'failed-loads'
  /** A page that shows no failure within this time begins to count anew. */
  const STEADY_MS = 10_000
  const MAX_WAIT_SECONDS = 60

  const STYLE = {
    overlay:
      'position:fixed;inset:0;z-index:1000;display:grid;place-content:center;justify-items:center;gap:1rem;padding:1.5rem;background:Canvas;color:CanvasText;font:1rem/1.5 system-ui,sans-serif;text-align:center',
    text: 'margin:0;max-width:28rem',
    button: 'font:inherit;padding:0.6rem 1.25rem',
  }

  function countFailures() {
    try {
      return Number(sessionStorage.getItem(FAILURES))
    } catch {
      // Without a memory it must not be tried at once, again and again.
      return 2
    }
  }

  function storeFailures(count) {
    try {
      if (count === 0) sessionStorage.removeItem(FAILURES)
      else sessionStorage.setItem(FAILURES, count)
    } catch {}
  }

  let failures = countFailures()
  const steady = setTimeout(() => {
    failures = 0
    storeFailures(0)
  }, STEADY_MS)
  let isFailing = false

  function tryAgain() {
    if (isFailing) return
    isFailing = true
    clearTimeout(steady)
    storeFailures(failures + 1)
    if (failures === 0) return location.reload()
    if (document.body === null) addEventListener('DOMContentLoaded', explain)
    else explain()
  }

  function explain() {
    let seconds = Math.min(2 ** failures, MAX_WAIT_SECONDS)
    const add = (parent, name, style, text) => {
      const element = parent.appendChild(document.createElement(name))
      element.style.cssText = style
      element.textContent = text
      return element
    }
    const overlay = add(document.body, 'div', STYLE.overlay, '')
    overlay.setAttribute('role', 'alert')
    add(overlay, 'strong', STYLE.text, 'A part of this page could not be loaded')
    add(overlay, 'p', STYLE.text, 'The connection was interrupted, or the cloud is busy or was just updated.')
    // Read out once, not every second.
    const wait = add(overlay, 'p', STYLE.text, '')
    wait.setAttribute('aria-live', 'off')
    const button = add(overlay, 'button', STYLE.button, 'Try again now')
    button.type = 'button'
    button.addEventListener('click', () => location.reload())
    addEventListener('online', () => location.reload())
    const tick = () => {
      if (seconds === 0) return location.reload()
      wait.textContent = `The page is loaded again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`
      seconds -= 1
      setTimeout(tick, 1_000)
    }
    tick()
  }

  const isPart = (target) => target?.localName === 'script' || target?.rel === 'stylesheet'
  // Errors of elements do not bubble.
  addEventListener('error', ({ target }) => isPart(target) && tryAgain(), true)
  // A part that the console loads when it is first shown (`router.tsx`).
  addEventListener('missing-part', tryAgain)
})()

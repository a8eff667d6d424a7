import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Speak } from '../src/platform/platform.ts'

/** The utterance of the speech synthesis of browsers. */
class Utterance {
  readonly text: string
  lang = ''
  volume = 1
  onend?: () => void
  onerror?: (event: { readonly error: string }) => void

  constructor(text: string) {
    this.text = text
  }
}

test('a browser speaks an utterance to its end, with the language and the volume', async (t) => {
  const spoken: Utterance[] = []
  let cancellations = 0
  const speechSynthesis = {
    speak: (utterance: Utterance) => void spoken.push(utterance),
    cancel() {
      cancellations += 1
      spoken.at(-1)?.onerror?.({ error: 'canceled' })
    },
  }
  Object.assign(globalThis, { speechSynthesis, SpeechSynthesisUtterance: Utterance })
  t.after(() => {
    for (const name of ['speechSynthesis', 'SpeechSynthesisUtterance'])
      Reflect.deleteProperty(globalThis, name)
  })
  // Not imported by name: its types are those of browsers.
  const { href } = new URL('../src/platform/browser.ts', import.meta.url)
  const { speak } = (await import(href)) as { readonly speak: Speak }
  const controller = new AbortController()
  const { signal } = controller

  const first = speak('Guten Tag', { language: 'de', volume: 3, signal })
  spoken[0]?.onend?.()
  await first
  assert.deepEqual([spoken[0]?.text, spoken[0]?.lang, spoken[0]?.volume], ['Guten Tag', 'de', 1])

  const second = speak('Hello', { language: undefined, volume: 0.5, signal })
  assert.deepEqual([spoken[1]?.lang, spoken[1]?.volume], ['', 0.5])
  spoken[1]?.onerror?.({ error: 'language-unavailable' })
  await assert.rejects(second, /The phone cannot speak \(language-unavailable\)/)

  const { readAloud } = (await import(new URL('browser-read-aloud.ts', href).href)) as {
    readonly readAloud: Speak
  }
  const markup = readAloud('# See **the** [link](https://example.com)', { language: 'en', volume: 1, signal })
  while (spoken.length < 3) await new Promise((resolve) => setImmediate(resolve))
  spoken[2]?.onend?.()
  await markup
  assert.equal(spoken[2]?.text, 'See the link', 'PHC-21')

  const third = speak('Hello', { language: undefined, volume: 1, signal })
  controller.abort()
  await assert.rejects(third, { name: 'AbortError' })
  assert.equal(cancellations, 1)
})

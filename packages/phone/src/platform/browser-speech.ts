import type { Speak } from './platform.ts'

/** Utterances in progress: Chromium does not report the end of those that nothing refers to. */
const spoken = new Set<SpeechSynthesisUtterance>()

/** Speaks with a voice of the browser; undefined where there is no speech synthesis. */
export const speak: Speak | undefined =
  typeof speechSynthesis === 'undefined'
    ? undefined
    : (text, { language, volume, signal }) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        const utterance = new SpeechSynthesisUtterance(text)
        if (language !== undefined) utterance.lang = language
        utterance.volume = Math.min(Math.max(volume, 0), 1)
        utterance.onend = () => resolve()
        utterance.onerror = ({ error }) => reject(new Error(`The phone cannot speak (${error})`))
        const stop = () => {
          reject(signal.reason)
          speechSynthesis.cancel()
        }
        signal.addEventListener('abort', stop, { once: true })
        spoken.add(utterance)
        speechSynthesis.speak(utterance)
        return promise.finally(() => {
          spoken.delete(utterance)
          signal.removeEventListener('abort', stop)
        })
      }

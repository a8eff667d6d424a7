import { errorDetail } from './error-detail.ts'
import type { PlaySound } from './platform.ts'

/** Plays the sound on the speaker of the computer. */
export const playSound: PlaySound = (url, { volume, signal }) =>
  new Promise((resolve, reject) => {
    const audio = new Audio(url)
    audio.volume = Math.min(Math.max(volume, 0), 1)
    const stop = () => {
      audio.pause()
      audio.removeAttribute('src')
      reject(signal.reason)
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    const fail = async () =>
      reject(new Error(`The sound cannot be loaded or played${await reasonOf(url, signal)}`))
    audio.onended = () => resolve(audio.duration)
    audio.onerror = () => void fail()
    audio.play().catch((error: unknown) => {
      // What cannot be loaded is reported by `onerror`, with the reason.
      if (audio.error === null) reject(error)
    })
  })

/** Fetches a sound again that could not be played: a media element does not expose the response of the server. */
async function reasonOf(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal }).catch(() => undefined)
  if (response === undefined || response.ok) {
    void response?.body?.cancel()
    return ''
  }
  return ` (status ${response.status}${await errorDetail(response)})`
}

import { fetchAudio } from './fetch-audio.ts'
import type { PlaySound } from './platform.ts'

/** Silent, but fetches the sound and takes as long as it lasts. */
export const playSound: PlaySound = async (url, { signal, clock }) => {
  const { durationSeconds } = await fetchAudio(url, signal)
  await new Promise<void>((resolve, reject) => {
    signal.throwIfAborted()
    const timer = clock.setTimeout(resolve, durationSeconds * 1_000)
    const stop = () => {
      clock.clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
  return durationSeconds
}

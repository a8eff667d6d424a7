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
    audio.onended = () => resolve(audio.duration)
    audio.onerror = () => reject(new Error('The sound cannot be loaded or played'))
    audio.play().catch(reject)
  })

import { useEffect, useState } from 'react'

/** Whether the browser keeps the screen on. */
export type ScreenState = 'waiting' | 'held' | 'refused'

/** Keeps the screen on while the component is shown; takes the lock again when the page becomes visible again. */
export function useWakeLock(): ScreenState {
  const [state, setState] = useState<ScreenState>('waiting')
  useEffect(() => {
    let isEnded = false
    let lock: WakeLockSentinel | undefined
    const request = async () => {
      if (document.hidden || (lock && !lock.released)) return
      try {
        const granted = await navigator.wakeLock.request('screen')
        if (isEnded) return void granted.release()
        lock = granted
        setState('held')
      } catch {
        // Missing, or refused to save battery.
        setState('refused')
      }
    }
    void request()
    document.addEventListener('visibilitychange', request)
    return () => {
      isEnded = true
      document.removeEventListener('visibilitychange', request)
      void lock?.release()
    }
  }, [])
  return state
}

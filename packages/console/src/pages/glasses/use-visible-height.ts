import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  window.visualViewport?.addEventListener('resize', listener)
  return () => window.visualViewport?.removeEventListener('resize', listener)
}

/** Returns the height that an on-screen keyboard leaves of the window, in pixels; undefined if the browser hides it. */
export function useVisibleHeight(): number | undefined {
  return useSyncExternalStore(subscribe, () =>
    window.visualViewport === null ? undefined : Math.round(window.visualViewport.height),
  )
}

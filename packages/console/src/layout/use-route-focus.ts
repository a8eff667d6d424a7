import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { announce } from '../components/announce.ts'

/** The time in ms after which a page that was opened has set its title. */
const TITLE_DELAY_MS = 150

/**
 * Moves the focus to the heading of a page that was opened by a link, or to its content while the heading is loading, and
 * announces the title of the page.
 */
export function useRouteFocus(): void {
  const router = useRouter()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      // The browser itself announces the first page.
      if (fromLocation === undefined || !pathChanged) return
      const content = document.getElementById('content')
      const target = content?.querySelector('h1') ?? content
      target?.focus({ preventScroll: true })
      clearTimeout(timer)
      timer = setTimeout(() => announce(document.title), TITLE_DELAY_MS)
    })
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [router])
}

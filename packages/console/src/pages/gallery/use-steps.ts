import { type TouchEvent, useEffect, useRef } from 'react'

export type Step = 'previous' | 'next'

const KEYS: Readonly<Record<string, Step>> = { ArrowLeft: 'previous', ArrowRight: 'next' }

/** Pixels of a swipe at least. */
const MIN_SWIPE = 48

/** Elements that use the arrow keys themselves, and questions above the page. */
const OWN_KEYS = 'video, input, [role="alertdialog"]'

/** Steps to the previous or next picture with the arrow keys and by swiping. @returns handlers of the swiped element */
export function useSteps(onStep: (step: Step) => void) {
  const latest = useRef(onStep)
  latest.current = onStep
  const start = useRef<{ readonly x: number; readonly y: number }>(undefined)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = KEYS[event.key]
      const isPlain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
      if (step === undefined || !isPlain || (event.target as Element).closest?.(OWN_KEYS)) return
      event.preventDefault()
      latest.current(step)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const touch = touches[0]
      // Two fingers enlarge the page.
      start.current = touches.length === 1 && touch ? { x: touch.clientX, y: touch.clientY } : undefined
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0]
      if (start.current === undefined || touch === undefined) return
      const [x, y] = [touch.clientX - start.current.x, touch.clientY - start.current.y]
      start.current = undefined
      if (Math.abs(x) < MIN_SWIPE || Math.abs(x) < 1.5 * Math.abs(y)) return
      onStep(x > 0 ? 'previous' : 'next')
    },
  }
}

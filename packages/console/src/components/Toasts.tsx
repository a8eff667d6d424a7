import { type ComponentType, useEffect, useState } from 'react'
import type { ToastAction, ToastMessage } from './toast-message.ts'

/** Time in ms that a message stays; failures stay until they are closed. */
const SUCCESS_MS = 6_000
/** Time in ms that a message with an action stays. */
const ACTION_MS = 12_000

/** Time in ms after which a page has loaded what it shows at first. */
const AFTER_FIRST_LOAD_MS = 1_500

/** Shows the region once its code is there. */
let show: ((region: ComponentType) => void) | undefined

/** Reports that something was done. */
export function reportSuccess(text: string, action?: ToastAction): void {
  add({ kind: 'success', text, action }, action === undefined ? SUCCESS_MS : ACTION_MS)
}

/** Reports that something failed, with the reason. */
export function reportFailure(error: unknown): void {
  add({ kind: 'failure', text: error instanceof Error ? error.message : String(error) })
}

function add(message: ToastMessage, timeout?: number): void {
  void loadRegion().then((queue) => queue.add(message, timeout === undefined ? {} : { timeout }))
}

/** Loads the region, which the first view of a page does not need. */
const loadRegion = () =>
  import('./ToastRegion.tsx').then(({ ToastRegion, queue }) => {
    show?.(ToastRegion)
    return queue
  })

/** Shows the messages of `reportSuccess` and `reportFailure`. */
export function Toasts() {
  const [Region, setRegion] = useState<ComponentType>()
  useEffect(() => {
    show = (region) => setRegion(() => region)
    // Early, so that a lost connection can be reported.
    const timer = setTimeout(() => void loadRegion().catch(() => {}), AFTER_FIRST_LOAD_MS)
    return () => {
      clearTimeout(timer)
      show = undefined
    }
  }, [])
  return Region !== undefined && <Region />
}

import type { EventEmitter } from 'node:events'
import type { Clock } from '../clock.ts'

export interface WaitOptions<T> {
  /** Emits `event` when the condition may have changed. */
  readonly emitter: EventEmitter
  readonly event: string
  /** Returns the result, or `undefined` to keep waiting. Called immediately and after each event. */
  readonly check: () => T | undefined
  readonly timeoutMs: number
  readonly clock: Clock
  /** For the timeout error: the expected condition and the current state. */
  readonly describe: () => string
}

/**
 * Waits until `check` returns a result.
 * @throws {Error} at the deadline, with the description
 */
export function waitUntil<T>(options: WaitOptions<T>): Promise<T> {
  const { emitter, event, check, timeoutMs, clock, describe } = options
  return new Promise((resolve, reject) => {
    const cleanUp = () => {
      emitter.off(event, runCheck)
      clock.clearTimeout(deadline)
    }
    const runCheck = () => {
      try {
        const result = check()
        if (result === undefined) return
        cleanUp()
        resolve(result)
      } catch (error) {
        cleanUp()
        reject(error)
      }
    }
    const deadline = clock.setTimeout(() => {
      cleanUp()
      reject(new Error(`Timed out after ${timeoutMs} ms waiting for ${describe()}`))
    }, timeoutMs)
    emitter.on(event, runCheck)
    runCheck()
  })
}

import type { EventEmitter } from 'node:events'
import type { Clock } from '../clock.ts'

/** A wait under a deadline. */
export interface WaitOptions<T> {
  /** Whose event to look again at. */
  readonly emitter: EventEmitter
  readonly event: string
  /** Gives what was waited for, or `undefined` to go on waiting. Called at once, and after each event. */
  readonly check: () => T | undefined
  readonly timeoutMs: number
  readonly clock: Clock
  /** For the error: what was waited for, and what there is instead. */
  readonly describe: () => string
}

/** Waits until `look` gives something; rejects with a sentence when the deadline passes first. */
export function waitUntil<T>(wait: WaitOptions<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      wait.emitter.off(wait.event, check)
      wait.clock.clearTimeout(deadline)
      end()
    }
    const check = () => {
      try {
        const found = wait.check()
        if (found !== undefined) settle(() => resolve(found))
      } catch (error) {
        settle(() => reject(error))
      }
    }
    const deadline = wait.clock.setTimeout(
      () => settle(() => reject(new Error(`Waited ${wait.timeoutMs} ms for ${wait.describe()}`))),
      wait.timeoutMs,
    )
    wait.emitter.on(wait.event, check)
    check()
  })
}

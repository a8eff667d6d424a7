import type { AppSession } from '@mentra/sdk'
import type { Visitors } from './visitors.ts'

/** What a step of the tour works with. */
export interface Stop {
  /** The app's session with the wearer: nearly everything an app does, it does through this. */
  readonly session: AppSession
  /** Who comes to the app's own web server. */
  readonly visitors: Visitors
  /** Where phones and the cloud reach the app's web server. */
  readonly publicUrl: string
}

/** One step of the tour: one thing that apps can do. */
export interface Step {
  readonly name: string
  /** Does it, and answers in a few words what came of it; rejects with what went wrong. */
  readonly run: (stop: Stop) => string | Promise<string>
}

/** The cloud has no provider for what the step shows; the message is the cloud's own. */
export class NotConfigured extends Error {}

/** Nobody waits longer than this for the wearer or the cloud, in milliseconds. */
const PATIENCE_MS = 20_000

/**
 * Waits for something to come in.
 * @param what names it, should it stay away
 * @param listen begins to listen, and answers how to stop
 */
export function heard<Value>(
  what: string,
  listen: (hear: (value: Value) => void) => () => unknown,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      clearTimeout(deadline)
      stopListening()
      end()
    }
    const deadline = setTimeout(() => settle(() => reject(new Error(`no ${what} came`))), PATIENCE_MS)
    // A handler may be called while it is being registered, with what is known already.
    let stopListening = () => {}
    let over = false
    const stop = listen((value) => {
      over = true
      settle(() => resolve(value))
    })
    stopListening = () => void stop()
    if (over) stopListening()
  })
}

/**
 * Asks the wearer for something on the lens, and waits until it is done. The handler is in place before the wearer can
 * read what to do: the SDK says both to the cloud on one connection.
 */
export function wearerDoes<Value>(
  session: AppSession,
  request: string,
  listen: (hear: (value: Value) => void) => () => unknown,
): Promise<Value> {
  const done = heard(`answer to “${request}”`, listen)
  session.layouts.showTextWall(request)
  return done
}

/** Ends the step with a sentence unless something holds. */
export function expect(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}

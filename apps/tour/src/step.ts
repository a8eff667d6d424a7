import type { AppSession } from '@mentra/sdk'
import type { AppPages } from './app-pages.ts'

export interface StepContext {
  /** The app's session with the user; most of the SDK is reached through it. */
  readonly session: AppSession
  /** Requests to the app's own web server. */
  readonly pages: AppPages
  /** URL of the app's web server for phones and the cloud. */
  readonly publicUrl: string
}

/** One step of the tour: one capability of apps. */
export interface Step {
  readonly name: string
  /** Runs the step. Returns the result in a few words; rejects if the step fails. */
  readonly run: (context: StepContext) => string | Promise<string>
}

/** The cloud has no provider for this step; has the error message of the cloud. */
export class NotConfiguredError extends Error {}

const EVENT_TIMEOUT_MS = Number(process.env.EVENT_TIMEOUT_MS ?? 20_000)

/**
 * Waits for an event.
 * @param description names the event in the timeout error
 * @param subscribe registers the handler and returns a function that removes it
 */
export function waitForEvent<Value>(
  description: string,
  subscribe: (resolve: (value: Value) => void) => () => unknown,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    // The SDK may call a handler during its registration, with a value it already has.
    let unsubscribe: (() => unknown) | undefined
    let isComplete = false
    const complete = () => {
      isComplete = true
      clearTimeout(deadline)
      unsubscribe?.()
    }
    const deadline = setTimeout(() => {
      complete()
      reject(new Error(`timed out waiting for the ${description}`))
    }, EVENT_TIMEOUT_MS)
    unsubscribe = subscribe((value) => {
      complete()
      resolve(value)
    })
    if (isComplete) unsubscribe()
  })
}

/**
 * Shows an instruction on the display and waits until the user has followed it. The handler is registered first: the
 * subscription and the instruction are sent in this order on one connection.
 */
export function promptUser<Value>(
  session: AppSession,
  instruction: string,
  subscribe: (resolve: (value: Value) => void) => () => unknown,
): Promise<Value> {
  const event = waitForEvent(`event after “${instruction}”`, subscribe)
  session.layouts.showTextWall(instruction)
  return event
}

/** @throws {Error} with the message unless the condition is true */
export function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

/** The base URL of the cloud's REST API: the origin of the socket that the SDK connects to. */
export function cloudUrl(session: AppSession): string {
  return new URL((session.getServerUrl() ?? '').replace(/^ws/, 'http')).origin
}

/** Logs one line. Never contains transcripts or images. */
export function log(line: string): void {
  console.log(`tour: ${line}`)
}

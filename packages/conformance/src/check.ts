import type { Context } from './context.ts'
import type { Description } from './outcome.ts'

/** `changes` of checks that need the kit's app to run. */
export const STARTS_APP = "starts the kit's app, and other running apps again at the end"

/** One observable promise of the protocol. */
export interface Check extends Description {
  /** Fails by throwing; throws `Skipped` if the promise cannot be checked here. */
  readonly run: (context: Context) => Promise<void>
}

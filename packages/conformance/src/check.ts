import type { Context } from './context.ts'
import type { Description } from './outcome.ts'

/** One observable promise of the protocol. */
export interface Check extends Description {
  /** Fails by throwing; throws `Skipped` if the promise cannot be checked here. */
  readonly run: (context: Context) => Promise<void>
}

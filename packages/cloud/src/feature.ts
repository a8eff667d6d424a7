import type { Endpoint } from './http/endpoint.ts'
import type { NotFoundPage } from './http/not-found.ts'
import type { ReadinessCheck } from './http/readiness.ts'
import type { DeletionStep, ExportSection } from './personal-data.ts'

/** Work that a feature does in the background while the cloud runs. */
export interface BackgroundJob {
  /**
   * Starts the job; called once the cloud serves requests.
   * @param countFailure called after each run that failed, besides the log (OBS-8)
   */
  start(countFailure?: () => void): void
  /** Starts no further run; resolves when the current one has ended. */
  stop(): Promise<void>
}

/**
 * A product capability and everything it contributes to the cloud. Each folder of `features/` exports a `create…`
 * function that takes its collaborators and returns one; `features.ts` lists them.
 */
export interface Feature {
  /** Unique, kebab-case: the name of the folder. */
  readonly name: string
  readonly endpoints?: readonly Endpoint[]
  /** Sends the page for browsers that open an unknown address. */
  readonly sendNotFoundPage?: NotFoundPage
  /** Sections of a data export, one for each kind of data the feature stores about users. */
  readonly exportSections?: readonly ExportSection[]
  /** Steps that delete what does not go with the user's row. */
  readonly deletionSteps?: readonly DeletionStep[]
  readonly jobs?: readonly BackgroundJob[]
  /** Checks behind `GET /readyz`. */
  readonly checks?: readonly ReadinessCheck[]
  /** Called first when the cloud shuts down, while sessions and sockets are still open. */
  stop?(): void
  /** Waits for work under way and releases resources; called when sockets are closed and requests are answered. */
  close?(): Promise<void>
}

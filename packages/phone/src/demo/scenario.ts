import type { DemoCloudOptions, DemoEnvironment } from './demo-environment.ts'

/** A script that the demo runs. */
export interface Scenario extends DemoCloudOptions {
  /** One line about what it shows. */
  readonly title: string
  /** Runs the scenario; rejects if an expected effect does not occur. */
  readonly run: (demo: DemoEnvironment, pace: Pace) => Promise<void>
}

/** Speed of a scenario, for an audience or for tests. */
export interface Pace {
  /** Milliseconds between two recognized words. */
  readonly wordMs: number
  /** Milliseconds to read what the display shows. */
  readonly readMs: number
}

import type { DemoEnvironment } from './demo-environment.ts'

/** A story that the demo can play. */
export interface Scenario {
  /** One line on what it shows. */
  readonly title: string
  /** Settings of its cloud, over those of every demo. */
  readonly cloudEnv?: Readonly<Record<string, string>>
  /** Plays it; rejects with a sentence when something does not happen that should. */
  readonly run: (theatre: DemoEnvironment, pace: Pace) => Promise<void>
}

/** How fast it is played: for people, or for tests. */
export interface Pace {
  /** Milliseconds between two spoken words. */
  readonly wordMs: number
  /** Milliseconds for a person to read what the lens shows. */
  readonly readMs: number
}

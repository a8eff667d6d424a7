/** What a check is about. */
export interface Description {
  /** Group and name, such as `account.profile`. Never changes, so that reports can be compared. */
  readonly id: string
  readonly title: string
  /** The section that makes the promise. */
  readonly source: string
  /** What the check changes for the user. It restores it, unless `lasting` is set. */
  readonly changes?: string
  /** Whether something remains for a while. Such checks run with `--lasting` only. */
  readonly lasting?: true
}

/** Result of one check. */
export interface Result {
  readonly check: Description
  readonly status: 'passed' | 'failed' | 'skipped'
  /** The deviation, or the reason for skipping. */
  readonly reason?: string
  readonly durationMs: number
}

/** Thrown by a check that found a deviation; the message says what was expected and what came. */
export class Deviation extends Error {
  override name = 'Deviation'
}

/** Thrown by a check that cannot be run here; the message is the reason. */
export class Skipped extends Error {
  override name = 'Skipped'
}

import type { ExportFormat } from '@glasses-cloud/contract'

/** Whose data are exported. */
export interface ExportedUser {
  readonly id: string
  readonly email: string
}

/** One fact about a user. */
export interface ExportFact {
  /** What it is about, unique within its section: a field, a package name, an id. */
  readonly key: string
  /** Any JSON value. In CSV each field of an object is a row of its own. */
  readonly value: unknown
  /** Epoch ms; absent where the time of the last change is not kept. */
  readonly updatedAt?: number | undefined
}

/**
 * One part of a data export. Whatever feature keeps something about users contributes one, in `cloud.ts`, and so
 * what is stored and what is exported stay the same (decision A3).
 */
export interface ExportSection {
  /** Unique; camelCase, as it stands in the JSON form. */
  readonly name: string
  /**
   * The user's facts, a few at a time where there may be many. Never secrets, and nothing of other users.
   * @param format what the facts will be written as
   */
  facts(user: ExportedUser, format: ExportFormat): AsyncIterable<ExportFact>
}

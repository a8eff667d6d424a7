import type { ExportFormat } from '@glasses-cloud/contract'
import type { Schema } from './db/index.ts'

/** A user as exports and deletions refer to one. */
export interface UserRef {
  readonly id: string
  readonly email: string
}

/** A user whose account is deleted. */
export interface DeletedUser extends UserRef {
  /**
   * Whether the address was confirmed. Otherwise what others addressed to it, such as invitations, is not the user's and
   * remains for its owner.
   */
  readonly ownsAddress: boolean
}

/** One fact about a user in a data export. */
export interface ExportFact {
  /** Unique within its section: a field, a package name, an id. */
  readonly key: string
  /** Any JSON value. CSV writes each field of an object as a row of its own. */
  readonly value: unknown
  /** Time of the last change, epoch ms; absent where it is not stored. */
  readonly updatedAt?: number | undefined
}

/**
 * One section of a data export (decision A3). The module that owns a table with data of users contributes the section
 * that exports it.
 */
export interface ExportSection {
  /** Unique, camelCase: the key of the section in the JSON form. */
  readonly name: string
  /** Tables whose rows about the user it exports. */
  readonly tables?: readonly (keyof Schema)[]
  /**
   * Yields the facts about a user, read in pages where there may be many. Never yields secrets or data of other users.
   * @param format the format the facts will be written in
   */
  facts(user: UserRef, format: ExportFormat): AsyncIterable<ExportFact>
}

/**
 * Phases of an account deletion, in the order in which they run (decision A5). The live session ends first, so that
 * nothing writes any more; ownership of apps and organizations ends after everything else was deleted; sessions are
 * ended once more for a socket that was admitted just before the tokens were revoked.
 */
export const DELETION_PHASES = ['sessions', 'content', 'ownership', 'late-sessions'] as const

/** See {@link DELETION_PHASES}. */
export type DeletionPhase = (typeof DELETION_PHASES)[number]

/**
 * One step of the deletion of an account. A module contributes one if it stores files of users, rows that are not
 * deleted with the user's row (`references users … on delete cascade`), or something outside.
 */
export interface DeletionStep {
  /** Unique; for the log. */
  readonly name: string
  readonly phase: DeletionPhase
  /** Tables whose references to the user it removes, where the cascade does not. */
  readonly tables?: readonly (keyof Schema)[]
  /**
   * Deletes what the module stores about the user. Must be idempotent: a step runs again from its beginning after a
   * failure or the death of the process, and may run in two processes at the same time.
   */
  run(user: DeletedUser): Promise<void>
}

/** Returns the steps in the order of their phases; within a phase, in the order given. */
export function inDeletionOrder(steps: readonly DeletionStep[]): DeletionStep[] {
  return DELETION_PHASES.flatMap((phase) => steps.filter((step) => step.phase === phase))
}

/** Rows read at a time for an export. */
const EXPORT_PAGE_SIZE = 200

/**
 * Reads rows page by page.
 * @param read returns at most `limit` rows that follow the row with the key `after`, ordered by key
 */
export async function* inPages<Row>(
  read: (after: string | undefined, limit: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): AsyncGenerator<Row> {
  let after: string | undefined
  for (;;) {
    const rows = await read(after, EXPORT_PAGE_SIZE)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < EXPORT_PAGE_SIZE) return
    after = keyOf(last)
  }
}

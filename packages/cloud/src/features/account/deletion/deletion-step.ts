/** Whose account is deleted. */
export interface DeletedUser {
  readonly id: string
  readonly email: string
}

/**
 * One step of the deletion of an account. Whatever feature keeps files of users, rows that do not go with the row
 * of the user (`references users … on delete cascade`), or something outside, contributes one in `cloud.ts`.
 */
export interface DeletionStep {
  /** Unique; for the log. */
  readonly name: string
  /**
   * Removes what there is. It may be run again, from its beginning, after it failed or its process died, and by two
   * processes at a time: what is gone already is no error.
   */
  run(user: DeletedUser): Promise<void>
}

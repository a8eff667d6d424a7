/** Part of a list. Lists are complete without one. */
export interface Page {
  /** At most this many entries. */
  readonly limit?: number | undefined
  /** Only what comes after the entry with this key: the package name of an app, the e-mail of a user. */
  readonly after?: string | undefined
}

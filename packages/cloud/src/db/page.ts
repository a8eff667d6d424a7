/** A page of a list; without limits, the whole list. */
export interface Page {
  /** Maximum number of entries. */
  readonly limit?: number | undefined
  /** Key of the last entry of the previous page: the package name of an app, the e-mail address of a user. */
  readonly after?: string | undefined
}

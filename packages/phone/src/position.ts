/** Position of the user. */
export interface Position {
  readonly lat: number
  readonly lng: number
  /** In meters. */
  readonly accuracy?: number
}

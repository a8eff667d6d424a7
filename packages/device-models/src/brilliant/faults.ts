/** Faults of the glasses. Counters go down with each use; a test sets them. */
export interface BrilliantFaults {
  /** The next packets and statements that are written, and do not reach the program or the console. */
  lostWrites: number
  /** The next notifications that do not arrive, acknowledgements among them. */
  lostNotifications: number
  /** The next writes that the system fails to send; the link stays. */
  failedWrites: number
  /** Delay of every notification beyond the pace. */
  delayMs: number
  /** The glasses cannot be reached. */
  isAway: boolean
  /** The link ends after this many further writes; undefined for never. */
  writesUntilLoss: number | undefined
}

export function noFaults(): BrilliantFaults {
  return {
    lostWrites: 0,
    lostNotifications: 0,
    failedWrites: 0,
    delayMs: 0,
    isAway: false,
    writesUntilLoss: undefined,
  }
}

/** Faults of an arm. Counters go down with each use; a test sets them. */
export interface G1Faults {
  /** The next commands that are answered with `CA` (failed). */
  refusals: number
  /** The next acknowledgements that are not sent, though the command was carried out. */
  lostAcknowledgements: number
  /** Only commands with this first byte meet the two faults above; undefined for all. */
  command: number | undefined
  /** The next writes that the system fails to send; the link stays. */
  failedWrites: number
  /** Delay of every acknowledgement beyond the pace. */
  delayMs: number
  /** The arm cannot be reached. */
  isAway: boolean
  /** The link ends after this many further writes; undefined for never. */
  writesUntilLoss: number | undefined
}

export function noFaults(): G1Faults {
  return {
    refusals: 0,
    lostAcknowledgements: 0,
    command: undefined,
    failedWrites: 0,
    delayMs: 0,
    isAway: false,
    writesUntilLoss: undefined,
  }
}

import { type LinkFaults, noLinkFaults } from '../modelled-link.ts'

/** Faults of an arm. Counters go down with each use; a test sets them. */
export interface G1Faults extends LinkFaults {
  /** The next commands that are answered with `CA` (failed). */
  refusals: number
  /** The next acknowledgements that are not sent, though the command was carried out. */
  lostAcknowledgements: number
  /** Only commands with this first byte meet the two faults above; undefined for all. */
  command: number | undefined
  /** Delay of every acknowledgement beyond the pace. */
  delayMs: number
}

export function noFaults(): G1Faults {
  return {
    ...noLinkFaults(),
    refusals: 0,
    lostAcknowledgements: 0,
    command: undefined,
    delayMs: 0,
  }
}

import { type LinkFaults, noLinkFaults } from '../modelled-link.ts'

/** Faults of the glasses. Counters go down with each use; a test sets them. */
export interface BrilliantFaults extends LinkFaults {
  /** The next packets and statements that are written, and do not reach the program or the console. */
  lostWrites: number
  /** The next notifications that do not arrive, acknowledgements among them. */
  lostNotifications: number
  /** Delay of every notification beyond the pace. */
  delayMs: number
}

export function noFaults(): BrilliantFaults {
  return {
    ...noLinkFaults(),
    lostWrites: 0,
    lostNotifications: 0,
    delayMs: 0,
  }
}

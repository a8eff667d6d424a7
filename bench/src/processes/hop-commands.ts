/**
 * How frames travel from one node to another: not at all (the cost of producing them), over a bare TCP connection, and
 * on the bus over Redis or a direct connection, each without and with TLS.
 */
export const HOP_PATHS = ['none', 'bare', 'redis', 'redis-tls', 'direct', 'direct-tls'] as const

export type HopPath = (typeof HOP_PATHS)[number]

/** The paths that use the bus. */
export type BusPath = Exclude<HopPath, 'none' | 'bare'>

/** Where a node of the benchmark `hop` receives. */
export interface HopSide {
  readonly nodeIds: Readonly<Record<BusPath, string>>
  readonly ports: Readonly<Record<'bare' | 'direct' | 'direct-tls', number>>
}

/** A command to a node of the benchmark `hop`. */
export type HopCommand =
  | { readonly command: 'meet'; readonly other: HopSide }
  /** Processor time so far, in µs. */
  | { readonly command: 'cpu' }
  /** Forget the delays, and expect this many frames. */
  | { readonly command: 'expect'; readonly frames: number }
  /** Send the audio of sessions, 50 frames a second each. */
  | {
      readonly command: 'send'
      readonly path: HopPath
      readonly sessions: number
      readonly seconds: number
    }
  /** The delays in ms, once all frames have arrived. */
  | { readonly command: 'delays' }

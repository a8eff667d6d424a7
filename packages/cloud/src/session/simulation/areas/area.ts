import type { Message, SubscriptionEntry } from '@glasses-cloud/contract'
import type { SessionPorts } from '../../ports.ts'
import type { CallbackPeer } from '../fixtures.ts'

/** A step of a schedule. Steps are picked at random, in proportion to their weight. */
export type Step = readonly [weight: number, name: string, act: () => void]

/**
 * One area of the session under simulation: its steps, a model of its observable state, and its invariants. An area
 * never reads the internals of the session.
 */
export interface Area {
  readonly steps: readonly Step[]
  /** The ports of the session that this area implements. */
  readonly ports?: Partial<SessionPorts>
  onAppMessage?(packageName: string, message: Message): void
  onGlassesMessage?(peer: CallbackPeer, message: Message): void
  onSubscriptionUpdate?(packageName: string, entries: readonly SubscriptionEntry[]): void
  onPermissionsEdited?(packageName: string): void
  /** Called when an app stopped or starts over. */
  onAppLost?(packageName: string): void
  /** Called after each step and each timer. */
  observe?(): void
  /** Called once faults have stopped, before `checkAtRest`. */
  prepareRest?(): void
  /** Asserts the invariants that hold after every step. */
  checkAlways?(): void
  /** Asserts the invariants that hold when nothing is in progress and glasses are connected. */
  checkAtRest?(): void
  /** Asserts the invariants that hold after the end of the session. */
  checkAfterEnd?(): void
}

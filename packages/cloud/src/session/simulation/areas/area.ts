import type { Message, SubscriptionEntry } from '@glasses-cloud/contract'
import type { SessionPorts } from '../../ports.ts'
import type { HeardPeer } from '../heard-peer.ts'
import type { World } from '../world.ts'

/** Something that may happen at any moment; the heavier, the more often. */
export type Step = readonly [weight: number, name: string, act: () => void]

/**
 * One side of the session under simulation: what may happen there, what is known of it from outside, and what must
 * hold. It keeps a model of its own and looks at nothing inside the session.
 */
export interface Area {
  readonly steps: readonly Step[]
  /** Effects of the session that this area carries out. */
  readonly ports?: Partial<SessionPorts>
  appHears?(packageName: string, message: Message): void
  glassesHear?(peer: HeardPeer, message: Message): void
  /** An app gave a list that counts. */
  appSubscribed?(packageName: string, entries: readonly SubscriptionEntry[]): void
  /** An app may do something else from now on. */
  appEdited?(packageName: string): void
  /** An app stopped, or is started anew: what it had is gone. */
  appLost?(packageName: string): void
  /** Called after whatever happens, in the order in which it happens. */
  observe?(): void
  /** Nothing fails any more, and the end is near: say the last word. */
  comeToRest?(): void
  /** What must hold whenever nothing is under way. */
  checkAlways?(): void
  /** What must hold once nothing moves any more and glasses are connected. */
  checkAtRest?(): void
  /** What must hold after the end. */
  checkAfterEnd?(): void
}

/** Makes an area of a world. */
export type AreaOf = new (world: World) => Area

import { closeFrames } from '@glasses-cloud/contract'
import type { Bus } from '../../bus/index.ts'
import {
  OwnedElsewhereError,
  type OwnedPlace,
  type SessionOwnership,
  type SessionUser,
} from '../../session-host/index.ts'
import { type Clock, pause } from '../../time/index.ts'
import type { LocalGateway } from '../local-gateway.ts'
import {
  type AppAttachment,
  type AppTarget,
  type GlassesSession,
  isTargetOf,
  type SessionGateway,
  sessionNotFound,
} from '../session-gateway.ts'
import type { WsGlassesPeer, WsPeer } from '../ws-peer.ts'
import type { RelayClient } from './relay-client.ts'

/** Time within which a session can be reached after its owner was lost or handed it over. */
const ATTACH_DEADLINE_MS = 8_000
const RETRY_INTERVAL_MS = 100

export interface ClusterGatewayDeps {
  readonly local: LocalGateway
  readonly relays: RelayClient
  readonly ownership: SessionOwnership
  readonly bus: Pick<Bus, 'isConnected'>
  readonly clock: Clock
}

/** Attaches sockets to sessions on any node. A session without an owner becomes one of this node. */
export class ClusterGateway implements SessionGateway {
  readonly #deps: ClusterGatewayDeps

  constructor(deps: ClusterGatewayDeps) {
    this.#deps = deps
  }

  async attachGlasses(user: SessionUser, peer: WsGlassesPeer): Promise<GlassesSession | undefined> {
    const { local, relays } = this.#deps
    return this.#retry(peer, async () => {
      try {
        return await local.attachGlasses(user, peer)
      } catch (error) {
        if (!(error instanceof OwnedElsewhereError)) throw error
        return relays.attachGlasses(error.place, user, peer)
      }
    })
  }

  async attachApp(target: AppTarget, peer: WsPeer): Promise<AppAttachment | undefined> {
    const { local, relays, ownership } = this.#deps
    const user = await local.findUser(target.sessionPrefix)
    if (!user) return sessionNotFound
    const attachTo = async (place: OwnedPlace) =>
      isTargetOf(target, place.userSessionId) ? relays.attachApp(place, target, peer) : sessionNotFound
    return this.#retry(peer, async () => {
      const place = await ownership.locate(user.id)
      if (place) return attachTo(place)
      try {
        return await local.attachAppOf(user, target, peer)
      } catch (error) {
        if (!(error instanceof OwnedElsewhereError)) throw error
        return attachTo(error.place)
      }
    })
  }

  recordInvalidAppKey(sessionPrefix: string, packageName: string): void {
    const { local, relays, ownership } = this.#deps
    local.recordInvalidAppKey(sessionPrefix, packageName)
    ownership.locateById(sessionPrefix).then(
      (place) => place && relays.recordInvalidAppKey(place, packageName),
      () => {}, // The start of the app fails with its timeout instead.
    )
  }

  /**
   * Repeats an attempt until it has a result, the socket closes, or the deadline has passed. Without a connection to
   * other nodes it closes the socket at once, whose client may reach the owner next.
   */
  async #retry<Result>(
    peer: WsPeer,
    attempt: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const { bus, clock } = this.#deps
    const deadline = clock.monotonicNow() + ATTACH_DEADLINE_MS
    for (;;) {
      const result = await attempt()
      if (result !== undefined || !peer.isOpen) return result
      if (!bus.isConnected) {
        peer.close(closeFrames.NODE_LOST.code, closeFrames.NODE_LOST.reason)
        return undefined
      }
      if (clock.monotonicNow() >= deadline) throw new Error('The node of the session cannot be reached')
      await pause(clock, RETRY_INTERVAL_MS)
    }
  }
}

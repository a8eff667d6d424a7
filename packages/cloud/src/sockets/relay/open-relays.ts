import { type Bus, FRAME_KINDS } from '../../bus/index.ts'
import type { Random } from '../../session/index.ts'
import type { SessionOwnership, Sessions } from '../../session-host/index.ts'
import type { Clock } from '../../time/index.ts'
import type { Tracing } from '../../tracing/index.ts'
import type { SocketLimits } from '../limits.ts'
import type { LocalGateway } from '../local-gateway.ts'
import type { SessionGateway } from '../session-gateway.ts'
import type { SocketBudgets } from '../socket-budget.ts'
import type { PeerEvents } from '../ws-peer.ts'
import { ClusterGateway } from './cluster-gateway.ts'
import { RelayClient } from './relay-client.ts'
import { RELAY } from './relay-frame.ts'
import { RelayServer } from './relay-server.ts'

export interface RelayDeps {
  readonly bus: Bus
  readonly clock: Clock
  readonly sessions: Sessions
  readonly ownership: SessionOwnership
  readonly local: LocalGateway
  readonly limits: SocketLimits
  readonly budgets: SocketBudgets
  readonly events: PeerEvents
  readonly tracing?: Tracing | undefined
  nodeIdOf(holder: string): string
}

/** The sockets that are attached to sessions on other nodes. */
export interface Relays {
  readonly gateway: SessionGateway
  /** Number of sockets of this node that are attached to sessions on other nodes. */
  readonly size: number
  /** Closes them over a time, because this node stops. */
  drain(random: Random, spreadMs: number): Promise<void>
}

/**
 * Connects the sockets of this node with the sessions of others, and the reverse. Once the lease of this node has lapsed,
 * the sockets of sessions on other nodes are closed.
 */
export function openRelays({ local, ownership, nodeIdOf, ...deps }: RelayDeps): Relays {
  const { bus, clock } = deps
  const { lease } = ownership
  const isOwner = () => lease.isValid()
  const client = new RelayClient(bus, nodeIdOf, deps.tracing)
  const server = new RelayServer({ ...deps, gateway: local, isOwner })
  bus.onNodeLost((nodeId) => {
    server.detachNode(nodeId)
    client.closeNode(nodeId)
  })
  bus.receive(FRAME_KINDS.relay, (from, frame) => {
    if (frame.readUInt8(0) >= RELAY.text) client.receive(from, frame)
    else server.receive(from, frame)
  })
  lease.onLapsed(() => client.closeAll())
  return {
    gateway: new ClusterGateway({ local, relays: client, ownership, bus, clock }),
    get size() {
      return client.size
    },
    drain: (random, spreadMs) => client.drain(clock, random, spreadMs),
  }
}

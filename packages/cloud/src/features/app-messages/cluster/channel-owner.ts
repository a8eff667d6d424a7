import type { Bus } from '../../../bus/index.ts'
import type { MessagingRejection } from '../../../session/index.ts'
import type { ChannelMember } from '../fan-out.ts'
import type { AppMessageHub, ReachableUser } from '../hub.ts'
import { NodeLink } from './node-link.ts'
import { type ChannelRequest, channelCall, type MemberOperation } from './protocol.ts'

/** The members on another node, of one channel. */
interface RemoteNode {
  readonly link: NodeLink
  readonly members: Map<string, ChannelMember>
}

/** The channels that this node owns: performs what other nodes request for their members. */
export class ChannelOwner {
  readonly #hub: AppMessageHub
  readonly #bus: Bus
  /** By package name and by id of the node. */
  readonly #owned = new Map<string, Map<string, RemoteNode>>()
  /** Called when the last remote member of a channel has left. */
  onLeft: (packageName: string) => void = () => {}

  constructor(hub: AppMessageHub, bus: Bus) {
    this.#hub = hub
    this.#bus = bus
    channelCall.handle(bus, (request, from) => this.#perform(request, from))
    bus.onNodeLost((nodeId) => {
      for (const packageName of [...this.#owned.keys()]) this.#removeNode(packageName, nodeId)
    })
    bus.onConnectionChange((isConnected) => {
      if (!isConnected) for (const packageName of this.#owned.keys()) this.#removeRemote(packageName)
    })
  }

  get packageNames(): string[] {
    return [...this.#owned.keys()]
  }

  owns(packageName: string): boolean {
    return this.#owned.has(packageName)
  }

  add(packageName: string): void {
    if (!this.#owned.has(packageName)) this.#owned.set(packageName, new Map())
  }

  /** Removes a channel and its members on other nodes. */
  remove(packageName: string): void {
    this.#removeRemote(packageName)
    this.#owned.delete(packageName)
  }

  /** @throws Error if this node does not own the channel, or does not know the member */
  async #perform(
    { packageName, operation }: ChannelRequest,
    from: string,
  ): Promise<ReachableUser[] | MessagingRejection | undefined> {
    const nodes = this.#owned.get(packageName)
    if (!nodes) throw new Error('This node does not own the channel')
    if (operation.kind === 'users') return this.#hub.usersOf(packageName)
    if (operation.kind === 'reset') {
      this.#removeNode(packageName, from)
      return undefined
    }
    let node = nodes.get(from)
    if (!node) {
      node = { link: new NodeLink(this.#bus, from, packageName), members: new Map() }
      nodes.set(from, node)
    }
    if (operation.kind === 'enter') {
      const { member: id, userEmail, sessionId, joinedAt } = operation
      const member = node.link.member(id, { packageName, userEmail, sessionId, joinedAt })
      node.members.set(id, member)
      this.#hub.enter(member)
      return undefined
    }
    const member = node.members.get(operation.member)
    if (!member) throw new Error('The member is unknown')
    if (operation.kind === 'leave') {
      this.#leave(packageName, from, operation.member)
      return undefined
    }
    return performAs(this.#hub, member, operation)
  }

  #leave(packageName: string, nodeId: string, memberId: string): void {
    const nodes = this.#owned.get(packageName)
    const node = nodes?.get(nodeId)
    const member = node?.members.get(memberId)
    if (!node || !member) return
    node.members.delete(memberId)
    this.#hub.leave(member)
    if (node.members.size > 0) return
    nodes?.delete(nodeId)
    this.onLeft(packageName)
  }

  #removeNode(packageName: string, nodeId: string): void {
    const members = this.#owned.get(packageName)?.get(nodeId)?.members.keys() ?? []
    for (const memberId of [...members]) this.#leave(packageName, nodeId, memberId)
  }

  #removeRemote(packageName: string): void {
    for (const nodeId of [...(this.#owned.get(packageName)?.keys() ?? [])])
      this.#removeNode(packageName, nodeId)
  }
}

/** Performs an operation; resolves with why it was rejected, or with undefined. */
export function performAs(
  hub: AppMessageHub,
  from: ChannelMember,
  operation: MemberOperation,
): Promise<MessagingRejection | undefined> {
  return new Promise((done) => {
    switch (operation.kind) {
      case 'broadcast':
        return hub.broadcast(from, operation.message, done)
      case 'room':
        return hub.toRoom(from, operation.roomId, operation.message, done)
      case 'direct':
        return hub.direct(from, operation.userEmail, operation.message, done)
      case 'join':
        return hub.joinRoom(from, operation.roomId, operation.options, done)
      case 'leave-room':
        hub.leaveRoom(from, operation.roomId)
        return done(undefined)
    }
  })
}

import { serialize } from 'node:v8'
import type { CloudToApp } from '@glasses-cloud/contract'
import { type Bus, FRAME_KINDS } from '../../../bus/index.ts'
import type { SharedMessage } from '../../../session/index.ts'
import type { ChannelMember } from '../fan-out.ts'
import { type Delivery, deliverCall } from './protocol.ts'

/** Messages to the members of one channel on one node. A message to several of them crosses the bus once. */
export class NodeLink {
  readonly #bus: Pick<Bus, 'send' | 'request'>
  readonly #nodeId: string
  readonly #packageName: string
  #message: SharedMessage<CloudToApp> | undefined
  #members: string[] = []

  constructor(bus: Pick<Bus, 'send' | 'request'>, nodeId: string, packageName: string) {
    this.#bus = bus
    this.#nodeId = nodeId
    this.#packageName = packageName
  }

  /** Returns a member of the channel whose session is on the node. */
  member(id: string, member: Omit<ChannelMember, 'deliver'>): ChannelMember {
    return {
      ...member,
      deliver: (message, isConfirmed) => {
        if (isConfirmed) return this.#sendConfirmed(id, message)
        this.#send(id, message)
        return true
      },
    }
  }

  /** Sends a message once the current events are processed, in order. */
  #send(member: string, message: SharedMessage<CloudToApp>): void {
    if (this.#message !== message) this.#flush()
    if (this.#message === undefined) queueMicrotask(() => this.#flush())
    this.#message = message
    this.#members.push(member)
  }

  /** Sends a message and returns whether an open socket accepted it. */
  async #sendConfirmed(member: string, message: SharedMessage<CloudToApp>): Promise<boolean> {
    this.#flush()
    const delivery = this.#delivery([member], message)
    return deliverCall.send(this.#bus, this.#nodeId, delivery).catch(() => false)
  }

  #flush(): void {
    if (this.#message === undefined) return
    const delivery = this.#delivery(this.#members, this.#message)
    this.#bus.send(this.#nodeId, FRAME_KINDS.appMessage, serialize(delivery))
    this.#message = undefined
    this.#members = []
  }

  #delivery(members: string[], { content: message }: SharedMessage<CloudToApp>): Delivery {
    return { packageName: this.#packageName, members, message }
  }
}

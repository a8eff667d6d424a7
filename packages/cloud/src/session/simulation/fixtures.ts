import assert from 'node:assert/strict'
import type { CloudToApp, DataStreamFields, Message, Permission } from '@glasses-cloud/contract'
import type { AppMember } from '../parts/app-messages/port.ts'
import type { SharedMessage } from '../peer.ts'
import type { AppDefinition } from '../ports.ts'
import { RecordingPeer } from '../testing/recording-peer.ts'
import { createAppDefinition } from '../testing/session-rig.ts'

export const SYSTEM_PACKAGE = 'system.dashboard'

/** The apps of every simulation: two standard apps, which exclude each other, a background app and the dashboard. */
export const PACKAGES = ['com.standard-a', 'com.standard-b', 'com.background', SYSTEM_PACKAGE] as const
export type Package = (typeof PACKAGES)[number]

export function permissionsOf(...types: readonly Permission['type'][]): Permission[] {
  return types.map((type) => ({ type, description: '' }))
}

/** The initial definitions. */
export const DEFINITIONS: ReadonlyMap<Package, AppDefinition> = new Map([
  define('com.standard-a', 'STANDARD', ['MICROPHONE', 'LOCATION', 'CAMERA']),
  define('com.standard-b', 'STANDARD', ['MICROPHONE', 'CALENDAR']),
  define('com.background', 'BACKGROUND', ['ALL']),
  define(SYSTEM_PACKAGE, 'SYSTEM_DASHBOARD', ['LOCATION', 'CAMERA']),
])

function define(
  packageName: Package,
  appType: AppDefinition['appType'],
  permissions: readonly Permission['type'][],
): [Package, AppDefinition] {
  return [
    packageName,
    createAppDefinition(packageName, { appType, permissions: permissionsOf(...permissions) }),
  ]
}

/** A seeded random number generator (mulberry32). The same seed produces the same numbers. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Returns an integer from 0 (inclusive) to `limit` (exclusive). */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)]
    if (value === undefined) throw new Error('cannot pick from an empty array')
    return value
  }
}

/**
 * A peer that calls back for each message, so that invariants are checked at the moment the message is sent. Messages
 * to a broken socket are included: the session has not detected that it is broken.
 */
export class CallbackPeer extends RecordingPeer {
  readonly #onMessage: (message: Message, peer: CallbackPeer) => void

  constructor(name: string, onMessage: (message: Message, peer: CallbackPeer) => void) {
    super(name)
    this.#onMessage = onMessage
  }

  override send(message: Message): void {
    super.send(message)
    this.#onMessage(message, this)
  }

  override sendStream(envelope: DataStreamFields, dataJson: string): void {
    super.sendStream(envelope, dataJson)
    const message = this.sent.at(-1)
    if (!this.closed && message) this.#onMessage(message, this)
  }

  override sendAudio(frame: Uint8Array): number {
    if (!this.closed) this.#onMessage({ type: 'audio_chunk' }, this)
    return super.sendAudio(frame)
  }
}

/** The app of another user, with the room member counts it received. */
export class OtherUserApp implements AppMember {
  readonly packageName: string
  readonly userEmail: string
  readonly sessionId: string
  readonly joinedAt = '2026-01-01T00:00:00.000Z'
  /** The last member count it received, by room id. */
  readonly memberCounts = new Map<string, number>()
  /** Received messages that were not checked yet. */
  readonly messages: Message[] = []

  constructor(packageName: string, name: string) {
    this.packageName = packageName
    this.userEmail = `${name}@example.com`
    this.sessionId = `us${name}-${packageName}`
  }

  deliver({ content: message }: SharedMessage<CloudToApp>): boolean {
    if (message.type === 'app_room_updated')
      this.memberCounts.set(message.roomId, message.roomData.memberCount)
    if (message.type === 'app_message_received') {
      assert.notEqual(message.senderUserId, this.userEmail, 'a sender does not receive its own message')
      this.messages.push(message)
    }
    return true
  }
}

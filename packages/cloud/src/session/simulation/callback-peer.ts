import assert from 'node:assert/strict'
import type { CloudToApp, DataStreamFields, Message } from '@glasses-cloud/contract'
import type { AppMember } from '../parts/app-messages/port.ts'
import type { SharedMessage } from '../peer.ts'
import { RecordingPeer } from '../testing/recording-peer.ts'

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

  override sendAudio(frame: Uint8Array): void {
    super.sendAudio(frame)
    if (!this.closed) this.#onMessage({ type: 'audio_chunk' }, this)
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

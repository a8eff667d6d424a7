import assert from 'node:assert/strict'
import type { CloudToApp, Message } from '@glasses-cloud/contract'
import type { AppMember } from '../features/app-messages/port.ts'
import type { SharedMessage } from '../shared-message.ts'

/** An app at another wearer, and what it knows of its rooms from what it is told. */
export class Neighbour implements AppMember {
  readonly packageName: string
  readonly userEmail: string
  readonly sessionId: string
  readonly joinedAt = '2026-01-01T00:00:00.000Z'
  /** How many are in each of its rooms, as it was told last. */
  readonly counts = new Map<string, number>()
  /** What it was told by others, and not taken yet. */
  messages: Message[] = []

  constructor(packageName: string, name: string) {
    this.packageName = packageName
    this.userEmail = `${name}@example.com`
    this.sessionId = `us${name}-${packageName}`
  }

  deliver({ content: message }: SharedMessage<CloudToApp>): boolean {
    if (message.type === 'app_room_updated') this.counts.set(message.roomId, message.roomData.memberCount)
    if (message.type === 'app_message_received') {
      assert.notEqual(message.senderUserId, this.userEmail, 'nobody hears himself')
      this.messages.push(message)
    }
    return true
  }
}

import assert from 'node:assert/strict'
import type { CloudToApp, Message } from '@glasses-cloud/contract'
import type { AppMember } from '../parts/app-messages/port.ts'
import type { SharedMessage } from '../shared-message.ts'

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

import type { AppToCloud, CloudToApp } from '@glasses-cloud/contract'
import type { AppSession } from '../../apps/app-session.ts'
import type { Peer } from '../../peer.ts'
import type { AppHandlers, SessionContext, SessionFeature } from '../feature.ts'
import { AppSessionMember } from './app-session-member.ts'
import type { AppMessage, MessagingRejection, RoomOptions } from './port.ts'

type Direct = Extract<AppToCloud, { type: 'app_direct_message' }>
type Broadcast = Extract<AppToCloud, { type: 'app_broadcast_message' }>
type Join = Extract<AppToCloud, { type: 'app_room_join' }>
type Refusal = MessagingRejection | { readonly code: 'PAYLOAD_TOO_LARGE'; readonly message: string }

/** Bytes, as JSON. */
const MAX_PAYLOAD = 64 * 1024
const MAX_METADATA = 4 * 1024
const MAX_ROOM_USERS = 100

/** Takes what an app says to itself at other wearers on its way. Who speaks is what the socket says. */
export class AppMessages implements SessionFeature {
  readonly #context: SessionContext
  readonly #members = new Map<string, AppSessionMember>()
  static readonly appHandlers: AppHandlers<AppMessages> = {
    app_broadcast_message: (feature, message, from) => feature.#broadcast(message, from),
    app_direct_message: (feature, message, from) => feature.#direct(message, from),
    app_room_join: (feature, message, from) => feature.#join(message, from),
    app_room_leave: (feature, { roomId }, from) =>
      feature.#context.ports.appMessages.leaveRoom(feature.#memberOf(from), roomId),
  }

  constructor(context: SessionContext) {
    this.#context = context
  }

  onAppConnected(session: AppSession, peer: Peer): void {
    this.#memberOf(session).markAcknowledged(peer)
  }

  onAppReset(packageName: string): void {
    const member = this.#members.get(packageName)
    this.#members.delete(packageName)
    if (member) this.#context.ports.appMessages.leave(member)
  }

  onSessionEnded(): void {
    for (const packageName of [...this.#members.keys()]) this.onAppReset(packageName)
  }

  #memberOf(session: AppSession): AppSessionMember {
    const known = this.#members.get(session.packageName)
    if (known) return known
    const member = new AppSessionMember(session, this.#context.userEmail, this.#context.timestamp())
    this.#members.set(session.packageName, member)
    this.#context.ports.appMessages.enter(member)
    return member
  }

  #broadcast({ messageId, payload, roomId }: Broadcast, from: AppSession): void {
    const member = this.#memberOf(from)
    const refuse = (refusal?: Refusal) => this.#refuse(from, member, messageId, refusal)
    if (bytesOf(payload) > MAX_PAYLOAD) return refuse(tooLarge('payload', MAX_PAYLOAD))
    const { appMessages } = this.#context.ports
    const message = this.#message(from, messageId, payload)
    if (roomId) appMessages.toRoom(member, roomId, { ...message, roomId }, refuse)
    else appMessages.broadcast(member, message)
  }

  #direct({ messageId, payload, targetUserId }: Direct, from: AppSession): void {
    const member = this.#memberOf(from)
    const answer = (refusal?: Refusal) =>
      this.#tell(from, member, {
        type: 'app_direct_message_response',
        messageId,
        success: refusal === undefined,
        ...(refusal ? { error: refusal.message } : {}),
        targetUserId,
        timestamp: this.#context.timestamp(),
      })
    if (bytesOf(payload) > MAX_PAYLOAD) return answer(tooLarge('payload', MAX_PAYLOAD))
    const message = this.#message(from, messageId, payload)
    this.#context.ports.appMessages.direct(member, targetUserId, message, answer)
  }

  #join({ roomId, roomConfig }: Join, from: AppSession): void {
    const member = this.#memberOf(from)
    const refuse = (refusal?: Refusal) => this.#refuse(from, member, roomId, refusal)
    const { maxUsers, isPrivate, metadata } = roomConfig ?? {}
    if (bytesOf(metadata) > MAX_METADATA) return refuse(tooLarge('metadata', MAX_METADATA))
    const wish: RoomOptions = {
      ...(maxUsers == null ? {} : { maxUsers: Math.min(maxUsers, MAX_ROOM_USERS) }),
      ...(isPrivate == null ? {} : { isPrivate }),
      ...(metadata === undefined ? {} : { metadata }),
    }
    this.#context.ports.appMessages.joinRoom(member, roomId, wish, refuse)
  }

  #message({ sessionId }: AppSession, messageId: string, payload: unknown): AppMessage {
    return {
      type: 'app_message_received',
      messageId,
      payload: payload ?? null,
      senderUserId: this.#context.userEmail,
      senderSessionId: sessionId,
      timestamp: this.#context.timestamp(),
    }
  }

  #refuse(from: AppSession, member: AppSessionMember, correlationId: string, refusal?: Refusal): void {
    if (!refusal) return
    const { code, message } = refusal
    this.#tell(from, member, {
      type: 'tpa_connection_error',
      code,
      message,
      correlationId,
      timestamp: this.#context.timestamp(),
    })
  }

  /** Answers an app, unless it is gone or began anew since it asked. */
  #tell(session: AppSession, member: AppSessionMember, message: CloudToApp): void {
    if (this.#members.get(session.packageName) === member) session.answer(message)
  }
}

/** The size of a value as JSON; nothing for what is not there. */
function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value))
}

function tooLarge(what: string, bytes: number): Refusal {
  return { code: 'PAYLOAD_TOO_LARGE', message: `${what} may have ${bytes / 1024} KiB at most` }
}

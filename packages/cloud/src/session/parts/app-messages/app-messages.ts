import type { AppToCloud, CloudToApp } from '@glasses-cloud/contract'
import type { AppSession } from '../../apps/app-session.ts'
import { LazyMap } from '../../lazy-collections.ts'
import type { Peer, SharedMessage } from '../../peer.ts'
import type { AppHandlers, SessionContext, SessionPart } from '../part.ts'
import type { AppMember, AppMessage, MessagingRejection, RoomOptions } from './port.ts'

type Direct = Extract<AppToCloud, { type: 'app_direct_message' }>
type Broadcast = Extract<AppToCloud, { type: 'app_broadcast_message' }>
type Join = Extract<AppToCloud, { type: 'app_room_join' }>
type Rejection = MessagingRejection | { readonly code: 'PAYLOAD_TOO_LARGE'; readonly message: string }

/** Of the JSON text. */
const MAX_PAYLOAD_BYTES = 64 * 1024
const MAX_METADATA_BYTES = 4 * 1024
const MAX_ROOM_USERS = 100

/** Forwards messages of apps to the same app of other users. The socket determines the sender, not the message. */
export class AppMessages implements SessionPart {
  readonly #context: SessionContext
  readonly #members = new LazyMap<string, AppSessionMember>()
  static readonly appHandlers: AppHandlers<AppMessages> = {
    app_broadcast_message: (part, message, from) => part.#broadcast(message, from),
    app_direct_message: (part, message, from) => part.#direct(message, from),
    app_room_join: (part, message, from) => part.#join(message, from),
    app_room_leave: (part, { roomId }, from) =>
      part.#context.ports.appMessages.leaveRoom(part.#memberOf(from), roomId),
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
    const existing = this.#members.get(session.packageName)
    if (existing) return existing
    const member = new AppSessionMember(session, this.#context)
    this.#members.set(session.packageName, member)
    this.#context.ports.appMessages.enter(member)
    return member
  }

  #broadcast({ messageId, payload, roomId }: Broadcast, from: AppSession): void {
    const member = this.#memberOf(from)
    const done = (rejection?: Rejection) => this.#sendRejection(from, member, messageId, rejection)
    if (jsonBytes(payload) > MAX_PAYLOAD_BYTES) return done(tooLarge('payload', MAX_PAYLOAD_BYTES))
    const { appMessages } = this.#context.ports
    const message = this.#message(from, messageId, payload)
    if (roomId) appMessages.toRoom(member, roomId, { ...message, roomId }, done)
    else appMessages.broadcast(member, message, done)
  }

  #direct({ messageId, payload, targetUserId }: Direct, from: AppSession): void {
    const member = this.#memberOf(from)
    const done = (rejection?: Rejection) =>
      this.#respond(from, member, {
        type: 'app_direct_message_response',
        messageId,
        success: rejection === undefined,
        ...(rejection ? { error: rejection.message } : {}),
        targetUserId,
        timestamp: this.#context.timestamp(),
      })
    if (jsonBytes(payload) > MAX_PAYLOAD_BYTES) return done(tooLarge('payload', MAX_PAYLOAD_BYTES))
    const message = this.#message(from, messageId, payload)
    this.#context.ports.appMessages.direct(member, targetUserId, message, done)
  }

  #join({ roomId, roomConfig }: Join, from: AppSession): void {
    const member = this.#memberOf(from)
    const done = (rejection?: Rejection) => this.#sendRejection(from, member, roomId, rejection)
    const { maxUsers, isPrivate, metadata } = roomConfig ?? {}
    if (jsonBytes(metadata) > MAX_METADATA_BYTES) return done(tooLarge('metadata', MAX_METADATA_BYTES))
    const options: RoomOptions = {
      ...(maxUsers == null ? {} : { maxUsers: Math.min(maxUsers, MAX_ROOM_USERS) }),
      ...(isPrivate == null ? {} : { isPrivate }),
      ...(metadata === undefined ? {} : { metadata }),
    }
    this.#context.ports.appMessages.joinRoom(member, roomId, options, done)
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

  #sendRejection(
    from: AppSession,
    member: AppSessionMember,
    correlationId: string,
    rejection?: Rejection,
  ): void {
    if (!rejection) return
    const { code, message } = rejection
    this.#respond(from, member, {
      type: 'tpa_connection_error',
      code,
      message,
      correlationId,
      timestamp: this.#context.timestamp(),
    })
  }

  /** Responds to an app, unless it stopped or restarted since its request. */
  #respond(session: AppSession, member: AppSessionMember, message: CloudToApp): void {
    if (this.#members.get(session.packageName) === member) session.sendOrQueue(message)
  }
}

/** The size of a value as JSON text; 0 for undefined. */
function jsonBytes(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value))
}

function tooLarge(field: string, maxBytes: number): Rejection {
  return { code: 'PAYLOAD_TOO_LARGE', message: `${field} must be at most ${maxBytes / 1024} KiB` }
}

/** An app session of this user session. It is reachable while its socket is acknowledged. */
class AppSessionMember implements AppMember {
  readonly packageName: string
  readonly userEmail: string
  readonly sessionId: string
  readonly joinedAt: string
  readonly #session: AppSession
  readonly #guard: SessionContext['guard']
  #acknowledged: Peer | undefined

  constructor(session: AppSession, { userEmail, timestamp, guard }: SessionContext) {
    this.packageName = session.packageName
    this.userEmail = userEmail
    this.#guard = guard
    this.sessionId = session.sessionId
    this.joinedAt = timestamp()
    this.#session = session
  }

  markAcknowledged(peer: Peer): void {
    this.#acknowledged = peer
  }

  deliver(message: SharedMessage<CloudToApp>): boolean {
    const peer = this.#acknowledged
    if (!peer || this.#session.peer !== peer) return false
    // Other sessions call this method: a failure must not reach them.
    this.#guard(() => peer.sendShared(message))
    return true
  }
}

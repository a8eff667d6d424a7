import type { UserSession } from '../session/index.ts'
import type { SessionUser } from '../session-host/index.ts'
import type { SdkGeneration } from './sdk-generations.ts'
import type { WsGlassesPeer, WsPeer } from './ws-peer.ts'

/** A session as a glasses socket uses it, on this node or another. */
export type GlassesSession = Pick<
  UserSession,
  | 'handleGlassesMessage'
  | 'handleUnknownGlassesMessage'
  | 'handleGlassesAudio'
  | 'handleUndecodableAudio'
  | 'handleDroppedAudio'
  | 'detachGlasses'
>

/** A session as an app socket uses it, on this node or another. */
export type AppSocketSession = Pick<UserSession, 'userSessionId' | 'handleAppMessage' | 'detachApp'>

/** The app socket to attach. */
export interface AppTarget {
  /** The user session id; older clients send the user's e-mail address instead. */
  readonly sessionPrefix: string
  readonly packageName: string
  /** The network address of the client, as returned by `networkOf`. */
  readonly address: string
  /** What the SDK of the app understands. */
  readonly generation: SdkGeneration
}

/** Whether an app socket belongs to a session: the session that it names may have ended, and the user may have another. */
export function isTargetOf({ sessionPrefix }: AppTarget, userSessionId: string): boolean {
  return sessionPrefix === userSessionId || sessionPrefix.includes('@')
}

/** Why an app socket was not attached. */
export interface AppRejection {
  readonly ok: false
  readonly code: 'INVALID_API_KEY' | 'SESSION_NOT_FOUND' | 'APP_NOT_STARTED'
  readonly message: string
}

/** The session of an attached app socket, or why it was not attached. */
export type AppAttachment = { readonly ok: true; readonly session: AppSocketSession } | AppRejection

export const sessionNotFound: AppRejection = {
  ok: false,
  code: 'SESSION_NOT_FOUND',
  message: 'The session does not exist',
}
export const appNotStarted: AppRejection = {
  ok: false,
  code: 'APP_NOT_STARTED',
  message: 'The app was not started',
}
export const appNotFound: AppRejection = {
  ok: false,
  code: 'INVALID_API_KEY',
  message: 'The app no longer exists',
}

/** Attaches authenticated sockets to user sessions. */
export interface SessionGateway {
  /**
   * Opens the session of a user, if necessary, and attaches the socket.
   * @returns undefined if the socket closed meanwhile
   * @throws Error if the session could not be opened
   */
  attachGlasses(user: SessionUser, peer: WsGlassesPeer): Promise<GlassesSession | undefined>
  /**
   * Attaches an app socket to a session in which the app is running or starting. A session that is not live, because
   * the cloud was restarted, is restored.
   * @returns undefined if the socket closed meanwhile
   * @throws Error if the session could not be opened
   */
  attachApp(target: AppTarget, peer: WsPeer): Promise<AppAttachment | undefined>
  /** Records that a client presented an invalid API key; see `AppLaunch.recordInvalidKey`. */
  recordInvalidAppKey(sessionPrefix: string, packageName: string): void
}

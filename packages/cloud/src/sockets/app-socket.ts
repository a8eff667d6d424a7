import {
  type AppErrorCode,
  type AppToCloud,
  checkAppMessage,
  closeFrames,
  type Message,
} from '@glasses-cloud/contract'
import type { AppLogFields, AppRecorder } from '../session-host/index.ts'
import { type Clock, toIsoString } from '../time/index.ts'
import type { Admission, AppCredentials, AppIdentity } from './app-admission.ts'
import { readInbox } from './inbox.ts'
import type { SocketLimits } from './limits.ts'
import type { AppSocketSession } from './session-gateway.ts'
import { SocketBudget, type SocketBudgets } from './socket-budget.ts'
import type { SocketMetrics } from './socket-metrics.ts'
import type { ClientSocket, WsPeer } from './ws-peer.ts'

/** What the handshake says about an app; its first message names the rest. */
export interface AppHandshake {
  /** The app of a valid token in the `Authorization` header. */
  readonly identity?: AppIdentity | undefined
  /** From the headers of SDK 3, not verified (app-socket.md §1.9). */
  readonly packageName?: string | undefined
  readonly apiKey?: string | undefined
  readonly sessionId?: string | undefined
  readonly sdkVersion?: string | undefined
}

/** An authenticated app socket. */
interface AdmittedApp {
  readonly userSessionId: string
  readonly packageName: string
  readonly keyId: string
}

export interface AppSocketDeps {
  readonly clock: Clock
  readonly limits: SocketLimits
  readonly metrics: Pick<SocketMetrics, 'rejected'>
  readonly budgets: SocketBudgets
  /** Authenticates an app and attaches its socket; undefined if the socket closed meanwhile. */
  admit(credentials: AppCredentials): Promise<Admission | undefined>
  /** Reports an authenticated app. @returns what is notified of the messages that are rejected */
  admitted(app: AdmittedApp): { rejected(code: string, message: string): void }
  /** Reports that the admission failed with an error. */
  failed(error: unknown): void
  /** Releases the slot of an unauthenticated socket; called once it is authenticated or closed. */
  releaseSlot(): void
}

/**
 * Serves an app socket. Until it is authenticated, the app may send few bytes and has little time. Afterwards the
 * socket is bound to its package and session, whatever its messages claim.
 *
 * @param handshake with a token and a session id it authenticates the app; otherwise the first message must be
 *   `tpa_connection_init` or `reconnect`, which may leave out what the handshake says
 */
export function serveApp(
  ws: ClientSocket,
  peer: WsPeer,
  handshake: AppHandshake,
  { clock, limits, metrics, budgets, admit, admitted: reportAdmitted, failed, releaseSlot }: AppSocketDeps,
): void {
  const credentials = credentialsOf(handshake)
  let admitted:
    | {
        session: AppSocketSession
        packageName: string
        budgetKey: string
        recorder: { rejected(code: string, message: string): void }
      }
    | undefined
  let isReconnect = false
  let budget = new SocketBudget(clock, limits)
  let isAuthenticating = false
  let early: Message[] = []

  const sendError = (code: AppErrorCode, message: string) => {
    metrics.rejected('app', code)
    admitted?.recorder.rejected(code, message)
    peer.send({ type: 'tpa_connection_error', code, message, timestamp: toIsoString(clock.now()) })
  }
  const reject = (code: AppErrorCode, message: string) => {
    if (isReconnect && NOT_RUNNING_CODES.has(code))
      peer.send({
        type: 'reconnect_rejected',
        code: 'NOT_RUNNING',
        message,
        timestamp: toIsoString(clock.now()),
      })
    sendError(code, message)
    ws.close(closeFrames.APP_REJECTED.code, message)
  }
  /** Closes with a code after which the app reconnects. */
  const fail = () => {
    const { code, reason } = closeFrames.APP_ADMISSION_FAILED
    sendError('INTERNAL_ERROR', reason)
    ws.close(code, reason)
  }
  const authenticate = (presented: AppCredentials) => {
    isAuthenticating = true
    admit(presented).then(
      (admission) => {
        if (!admission) return
        if (!admission.ok) {
          if (ws.readyState === ws.OPEN) reject(admission.code, admission.message)
          return
        }
        const { session, keyId } = admission
        const { packageName } = presented
        if (ws.readyState !== ws.OPEN) return session.detachApp(packageName, peer)
        const budgetKey = `app ${session.userSessionId} ${packageName}`
        const { userSessionId } = session
        admitted = {
          session,
          packageName,
          budgetKey,
          recorder: reportAdmitted({ userSessionId, packageName, keyId }),
        }
        budget = budgets.acquire(budgetKey)
        // Charges the message that authenticated the app, so that repeated connections spend the budget too.
        if (!credentials) budget.messages.take()
        deadline.cancel()
        releaseSlot()
        for (const message of early.splice(0)) receive(message)
      },
      (error: unknown) => {
        failed(error)
        fail()
      },
    )
  }
  const receive = (message: Message) => {
    if (!admitted) return receiveUnauthenticated(message)
    if (message.type === 'ping') return peer.send({ type: 'pong' })
    const checked = checkAppMessage(message)
    if (checked.kind === 'malformed') return sendError('MALFORMED_MESSAGE', checked.reason)
    if (checked.kind === 'unknown')
      return sendError('UNKNOWN_MESSAGE_TYPE', `Unknown message type ${message.type}`)
    admitted.session.handleAppMessage(admitted.packageName, peer, checked.message)
  }
  // Only the message that authenticates is validated: until the app is authenticated, other messages are queued or rejected.
  const receiveUnauthenticated = (message: Message) => {
    if (isAuthenticating) return void early.push(message)
    if (message.type !== 'tpa_connection_init' && message.type !== 'reconnect')
      return sendError('NOT_AUTHENTICATED', 'The first message must be tpa_connection_init')
    const checked = checkAppMessage(message)
    if (checked.kind === 'malformed') return sendError('MALFORMED_MESSAGE', checked.reason)
    isReconnect = message.type === 'reconnect'
    const presented = checked.kind === 'known' ? presentedBy(checked.message, handshake) : 'MALFORMED_MESSAGE'
    switch (presented) {
      case 'MALFORMED_MESSAGE':
        return sendError(presented, 'packageName and apiKey are required without a token in the handshake')
      case 'INVALID_API_KEY':
        return reject(presented, 'The token of the handshake is not valid for this package')
      case 'SESSION_NOT_FOUND':
        return reject(presented, 'The message names no session, package and API key')
      default:
        authenticate(presented)
    }
  }

  const deadline = clock.after(limits.unauthenticatedMs, () => {
    if (isAuthenticating) fail()
    else reject('NOT_AUTHENTICATED', closeFrames.APP_INIT_TIMEOUT.reason)
  })
  readInbox(ws, peer, { message: receive, reject: sendError }, limits, clock, () => budget)
  ws.on('close', () => {
    deadline.cancel()
    early = []
    releaseSlot()
    if (!admitted) return
    budgets.release(admitted.budgetKey)
    admitted.session.detachApp(admitted.packageName, peer)
  })
  if (credentials) authenticate(credentials)
}

/** Rejections after which an app must not reconnect, because the cloud starts it anew. */
const NOT_RUNNING_CODES: ReadonlySet<AppErrorCode> = new Set(['APP_NOT_STARTED', 'SESSION_NOT_FOUND'])

/** Returns the credentials of a handshake that authenticates the app. */
function credentialsOf({ identity, sessionId, sdkVersion }: AppHandshake): AppCredentials | undefined {
  return identity && sessionId !== undefined ? { ...identity, sessionId, sdkVersion } : undefined
}

/** Returns the credentials of an authenticating message, completed by the handshake, or why there are none. */
function presentedBy(
  message: AppToCloud,
  handshake: AppHandshake,
): AppCredentials | 'MALFORMED_MESSAGE' | 'INVALID_API_KEY' | 'SESSION_NOT_FOUND' {
  if (message.type !== 'tpa_connection_init' && message.type !== 'reconnect') return 'MALFORMED_MESSAGE'
  const { identity } = handshake
  const { packageName, apiKey } = message.type === 'reconnect' ? handshake : message
  if (identity && packageName !== undefined && packageName !== identity.packageName) return 'INVALID_API_KEY'
  const isNamed = packageName !== undefined && apiKey !== undefined
  const app = identity ?? (isNamed ? { packageName, apiKey } : undefined)
  if (!app) return message.type === 'reconnect' ? 'SESSION_NOT_FOUND' : 'MALFORMED_MESSAGE'
  const sessionId = message.sessionId ?? handshake.sessionId
  if (sessionId === undefined) return 'SESSION_NOT_FOUND'
  return { ...app, sessionId, sdkVersion: message.sdkVersion ?? handshake.sdkVersion }
}

/** Characters of a user session id that developers see. */
const SHOWN_ID_LENGTH = 8

/** Records what happens to an app socket, for the developers of the app. */
export class AppSocketRecorder {
  readonly #recorder: AppRecorder
  readonly #packageName: string
  readonly #session: string

  /** Records that the socket was opened and authenticated. */
  constructor(recorder: AppRecorder, { packageName, userSessionId }: AdmittedApp) {
    this.#recorder = recorder
    this.#packageName = packageName
    this.#session = userSessionId.slice(0, SHOWN_ID_LENGTH)
    this.#record({ level: 'info', kind: 'socket', event: 'opened' })
  }

  closed(code: number, message: string): void {
    this.#record({ level: 'info', kind: 'socket', event: 'closed', code, ...(message !== '' && { message }) })
  }

  /** Records a message of the app that was rejected. */
  rejected(code: string, message: string): void {
    this.#record({ level: 'error', kind: 'rejected', event: code, message })
  }

  #record(entry: AppLogFields): void {
    this.#recorder.record(this.#packageName, { ...entry, session: this.#session })
  }
}

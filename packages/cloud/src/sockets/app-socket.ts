import { type AppErrorCode, checkAppMessage, closeFrames, type Message } from '@glasses-cloud/contract'
import type { WebSocket } from 'ws'
import { type Clock, toIsoString, type UserSession } from '../session/index.ts'
import type { Admission, AppCredentials } from './app-admission.ts'
import { readInbox } from './inbox.ts'
import type { SocketLimits } from './limits.ts'
import { SocketBudget, type SocketBudgets } from './socket-budget.ts'
import type { SocketMetrics } from './socket-metrics.ts'
import type { WsPeer } from './ws-peer.ts'

export interface AppSocketDeps {
  readonly clock: Clock
  readonly limits: SocketLimits
  readonly metrics: SocketMetrics
  readonly budgets: SocketBudgets
  admit(credentials: AppCredentials): Promise<Admission>
  /** Reports an authenticated app. @returns a function to call once its socket is closed */
  admitted(userSessionId: string, packageName: string): () => void
  /** Reports that the admission failed with an error. */
  failed(error: unknown): void
  /** Releases the slot of an unauthenticated socket; called once it is authenticated or closed. */
  releaseSlot(): void
}

/**
 * Serves an app socket. Until it is authenticated, the app may send few bytes and has little time. Afterwards the
 * socket is bound to its package and session, whatever its messages claim.
 *
 * @param credentials credentials from the handshake; without them, the first message must be `tpa_connection_init`
 */
export function serveApp(
  ws: WebSocket,
  peer: WsPeer,
  credentials: AppCredentials | undefined,
  { clock, limits, metrics, budgets, admit, admitted: reportAdmitted, failed, releaseSlot }: AppSocketDeps,
): void {
  let admitted:
    | { session: UserSession; packageName: string; budgetKey: string; detached: () => void }
    | undefined
  let budget = new SocketBudget(clock, limits)
  let isAuthenticating = false
  let early: Message[] = []

  const sendError = (code: AppErrorCode, message: string) => {
    metrics.rejected('app', code)
    peer.send({ type: 'tpa_connection_error', code, message, timestamp: toIsoString(clock.now()) })
  }
  const reject = (code: AppErrorCode, message: string) => {
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
        if (ws.readyState !== ws.OPEN) return
        if (!admission.ok) return reject(admission.code, admission.message)
        const { session, app } = admission
        if (!session.attachApp(peer, app)) return reject('APP_NOT_STARTED', 'The app was not started')
        const budgetKey = `app ${session.userSessionId} ${app.packageName}`
        const detached = reportAdmitted(session.userSessionId, app.packageName)
        admitted = { session, packageName: app.packageName, budgetKey, detached }
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
    const checked = checkAppMessage(message)
    if (checked.kind === 'malformed') return sendError('MALFORMED_MESSAGE', checked.reason)
    if (checked.kind === 'unknown')
      return sendError('UNKNOWN_MESSAGE_TYPE', `Unknown message type ${message.type}`)
    admitted.session.handleAppMessage(admitted.packageName, peer, checked.message)
  }
  // Only tpa_connection_init is validated: until the app is authenticated, other messages are queued or rejected.
  const receiveUnauthenticated = (message: Message) => {
    if (isAuthenticating)
      return early.length < limits.earlyMessages ? void early.push(message) : metrics.dropped('early_message')
    if (message.type !== 'tpa_connection_init')
      return sendError('NOT_AUTHENTICATED', 'The first message must be tpa_connection_init')
    const checked = checkAppMessage(message)
    if (checked.kind === 'malformed') return sendError('MALFORMED_MESSAGE', checked.reason)
    if (checked.kind === 'known' && checked.message.type === 'tpa_connection_init')
      authenticate(checked.message)
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
    admitted.detached()
    admitted.session.detachApp(admitted.packageName, peer)
  })
  if (credentials) authenticate(credentials)
}

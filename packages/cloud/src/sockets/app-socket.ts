import { type AppErrorCode, checkFromApp, type Message } from '@glasses-cloud/contract'
import type { WebSocket } from 'ws'
import { type Clock, toIsoString, type UserSession } from '../session/index.ts'
import type { Admission, AppIntroduction } from './app-admission.ts'
import { closeCodes } from './close-codes.ts'
import { readInbox } from './inbox.ts'
import type { SocketLimits } from './limits.ts'
import type { SocketMetrics } from './socket-metrics.ts'
import type { WsPeer } from './ws-peer.ts'

/** What an app socket works with. */
export interface AppSocketDeps {
  readonly clock: Clock
  readonly limits: SocketLimits
  readonly metrics: SocketMetrics
  admit(introduction: AppIntroduction): Promise<Admission>
  /** Looking the app up failed. */
  failed(error: unknown): void
  /** The socket is authenticated, or gone: it does not wait any more. */
  settled(): void
}

/**
 * Serves one app socket. Until the app has introduced itself it may say little and has little time; from then on
 * the socket is that package in that session, whatever its messages claim.
 *
 * @param introduction set if the handshake carried it already
 */
export function serveApp(
  ws: WebSocket,
  peer: WsPeer,
  introduction: AppIntroduction | undefined,
  { clock, limits, metrics, admit, failed, settled }: AppSocketDeps,
): void {
  let admitted: { session: UserSession; packageName: string } | undefined
  let introduced = false
  let early: Message[] = []

  const refuse = (code: AppErrorCode, message: string) => {
    metrics.refused('app', code)
    peer.send({ type: 'tpa_connection_error', code, message, timestamp: toIsoString(clock.now()) })
  }
  const turnAway = (code: AppErrorCode, message: string) => {
    refuse(code, message)
    ws.close(closeCodes.REFUSED, message)
  }
  const introduce = (given: AppIntroduction) => {
    introduced = true
    admit(given).then(
      (admission) => {
        if (ws.readyState !== ws.OPEN) return
        if (!admission.ok) return turnAway(admission.code, admission.message)
        const { session, app } = admission
        if (!session.attachApp(peer, app)) return turnAway('APP_NOT_STARTED', 'Nobody started this app')
        admitted = { session, packageName: app.packageName }
        waiting.cancel()
        settled()
        for (const message of early.splice(0)) receive(message)
      },
      (error: unknown) => {
        failed(error)
        turnAway('INTERNAL_ERROR', 'The app could not be looked up')
      },
    )
  }
  const receive = (message: Message) => {
    const checked = checkFromApp(message)
    if (checked.kind === 'malformed') return refuse('MALFORMED_MESSAGE', checked.reason)
    if (checked.kind === 'unknown')
      return refuse('UNKNOWN_MESSAGE_TYPE', `There is no message type ${message.type}`)
    if (admitted) return admitted.session.handleAppMessage(admitted.packageName, peer, checked.message)
    if (introduced)
      return early.length < limits.earlyMessages ? void early.push(message) : metrics.dropped('early_message')
    if (checked.message.type === 'tpa_connection_init') return introduce(checked.message)
    refuse('NOT_AUTHENTICATED', 'The first message must be tpa_connection_init')
  }

  const waiting = clock.after(limits.unauthenticatedMs, () => {
    turnAway('NOT_AUTHENTICATED', 'No tpa_connection_init came in time')
  })
  readInbox(ws, peer, { message: receive, refuse }, limits, clock)
  ws.on('close', () => {
    waiting.cancel()
    early = []
    settled()
    admitted?.session.detachApp(admitted.packageName, peer)
  })
  if (introduction) introduce(introduction)
}

import {
  checkGlassesMessage,
  closeFrames,
  type GlassesErrorCode,
  type Message,
} from '@glasses-cloud/contract'
import type { SessionUser } from '../session-host/index.ts'
import { type Clock, toIsoString } from '../time/index.ts'
import type { DecodedAudio } from './audio-decoder.ts'
import type { JsonPings } from './heartbeat.ts'
import { readInbox } from './inbox.ts'
import type { SocketLimits } from './limits.ts'
import type { GlassesSession } from './session-gateway.ts'
import type { SocketBudgets } from './socket-budget.ts'
import type { SocketMetrics } from './socket-metrics.ts'
import type { ClientSocket, WsGlassesPeer } from './ws-peer.ts'

export interface GlassesSocketDeps {
  readonly clock: Clock
  readonly limits: SocketLimits
  readonly metrics: Pick<SocketMetrics, 'rejected' | 'undecodable'>
  readonly budgets: SocketBudgets
  readonly jsonPings: Pick<JsonPings, 'delete'>
  /** Opens the session of the user and attaches the socket; undefined if the socket closed meanwhile. */
  attach(user: SessionUser, peer: WsGlassesPeer): Promise<GlassesSession | undefined>
  /** Reports that the session could not be opened. */
  failed(error: unknown): void
}

/** Serves an authenticated glasses socket. What is received within the limits while the session is being opened is queued. */
export function serveGlasses(
  ws: ClientSocket,
  peer: WsGlassesPeer,
  user: SessionUser,
  { clock, limits, metrics, budgets, jsonPings, attach, failed }: GlassesSocketDeps,
): void {
  let session: GlassesSession | undefined
  let early: (() => void)[] = []
  let closed = false

  const whenOpen = (run: (session: GlassesSession) => void) => {
    if (session) run(session)
    else early.push(() => session && run(session))
  }
  const reject = (code: GlassesErrorCode, message: string) => {
    metrics.rejected('glasses', code)
    peer.send({ type: 'connection_error', code, message, timestamp: toIsoString(clock.now()) })
  }
  const receive = (message: Message) => {
    // Phones expect a pong within 5 s, even while the session is being opened.
    if (message.type === 'ping') {
      jsonPings.delete(peer)
      return peer.send({ type: 'pong' })
    }
    const checked = checkGlassesMessage(message)
    if (checked.kind === 'malformed') return reject('MALFORMED_MESSAGE', checked.reason)
    // Phones send one every 2 s, and the session may be on another node.
    if (message.type === 'pong') return
    whenOpen((open) => {
      if (checked.kind === 'known') open.handleGlassesMessage(peer, checked.message)
      else open.handleUnknownGlassesMessage(peer, checked.message)
    })
  }
  const receiveAudio = ({ pcm, undecodable }: DecodedAudio) => {
    if (undecodable > 0) metrics.undecodable(undecodable)
    else if (!pcm) return
    whenOpen((open) => {
      if (undecodable > 0) open.handleUndecodableAudio(peer)
      if (pcm) open.handleGlassesAudio(peer, pcm)
    })
  }
  const dropAudio = (ms: number) => whenOpen((open) => open.handleDroppedAudio(peer, ms))
  const audio = { decoder: () => peer.decoder, decoded: receiveAudio, dropped: dropAudio }

  const budgetKey = `glasses ${user.id}`
  const budget = budgets.acquire(budgetKey)
  readInbox(ws, peer, { message: receive, audio, reject }, limits, clock, () => budget)
  ws.on('close', () => {
    closed = true
    early = []
    jsonPings.delete(peer)
    budgets.release(budgetKey)
    session?.detachGlasses(peer)
  })

  attach(user, peer).then(
    (attached) => {
      if (closed) return attached?.detachGlasses(peer)
      session = attached
      for (const run of early.splice(0)) run()
    },
    (error: unknown) => {
      failed(error)
      reject('SESSION_ERROR', closeFrames.SESSION_FAILED.reason)
      ws.close(closeFrames.SESSION_FAILED.code, closeFrames.SESSION_FAILED.reason)
    },
  )
}

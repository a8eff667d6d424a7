import type { Metrics } from '../http/metrics.ts'

const DROPPED = ['audio'] as const

const HANDSHAKE_CODES = ['NOT_FOUND', 'NOT_READY', 'LIMIT', 'BAD_HANDSHAKE', 'INVALID_TOKEN', 'JWT_INVALID']

/** Counts sockets, rejected messages and drops. All labels have a fixed set of values. */
export class SocketMetrics {
  readonly #open = { glasses: 0, app: 0 }
  readonly #rejected
  readonly #dropped
  readonly #slow
  readonly #undecodable
  readonly #handshakes

  constructor(metrics: Metrics) {
    metrics.gauge('glasses_sockets', 'Open glasses sockets', () => this.#open.glasses)
    metrics.gauge('app_sockets', 'Open app sockets', () => this.#open.app)
    this.#rejected = metrics.counter('socket_messages_refused_total', 'Messages answered with an error', [
      'socket',
      'code',
    ])
    for (const socket of ['glasses', 'app']) this.#rejected.inc({ socket, code: 'RATE_LIMITED' }, 0)
    this.#dropped = metrics.counter(
      'socket_dropped_total',
      'Frames dropped for slow readers, by kind',
      ['kind'],
      DROPPED.map((kind) => ({ kind })),
    )
    this.#undecodable = metrics.counter(
      'glasses_audio_undecodable_total',
      'Audio frames from glasses that could not be decoded',
    )
    this.#handshakes = metrics.counter(
      'socket_handshakes_rejected_total',
      'Rejected handshakes of sockets',
      ['code'],
      HANDSHAKE_CODES.map((code) => ({ code })),
    )
    this.#slow = metrics.counter(
      'socket_slow_readers_total',
      'Sockets closed because the client read too slowly',
    )
  }

  opened(socket: 'glasses' | 'app'): void {
    this.#open[socket] += 1
  }
  closed(socket: 'glasses' | 'app'): void {
    this.#open[socket] -= 1
  }
  rejected(socket: 'glasses' | 'app', code: string): void {
    this.#rejected.inc({ socket, code })
  }
  dropped(kind: (typeof DROPPED)[number], count = 1): void {
    this.#dropped.inc({ kind }, count)
  }
  /** @param code of the rejection, or `LIMIT` if too many sockets are not authenticated */
  handshakeRejected(code: string): void {
    this.#handshakes.inc({ code })
  }
  undecodable(frames: number): void {
    this.#undecodable.inc(frames)
  }
  slowReader(): void {
    this.#slow.inc()
  }
}

import type { Metrics } from '../http/metrics.ts'

/** Counts sockets, rejected messages and drops. All labels have a fixed set of values. */
export class SocketMetrics {
  readonly #open = { glasses: 0, app: 0 }
  readonly #rejected
  readonly #dropped
  readonly #slow
  readonly #undecodable

  constructor(metrics: Metrics) {
    metrics.gauge('glasses_sockets', 'Open glasses sockets', () => this.#open.glasses)
    metrics.gauge('app_sockets', 'Open app sockets', () => this.#open.app)
    this.#rejected = metrics.counter('socket_messages_refused_total', 'Messages answered with an error', [
      'socket',
      'code',
    ])
    this.#dropped = metrics.counter('socket_dropped_total', 'Dropped audio frames and messages, by kind', [
      'kind',
    ])
    this.#undecodable = metrics.counter(
      'glasses_audio_undecodable_total',
      'Audio frames from glasses that could not be decoded',
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
  dropped(kind: 'audio' | 'early_message', count = 1): void {
    this.#dropped.inc({ kind }, count)
  }
  undecodable(frames: number): void {
    this.#undecodable.inc(frames)
  }
  slowReader(): void {
    this.#slow.inc()
  }
}

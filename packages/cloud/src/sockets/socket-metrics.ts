import type { Metrics } from '../http/metrics.ts'

/** What is counted on sockets; labels are few and fixed. */
export class SocketMetrics {
  readonly #open = { glasses: 0, app: 0 }
  readonly #refused
  readonly #dropped
  readonly #slow
  readonly #undecodable

  constructor(metrics: Metrics) {
    metrics.gauge('glasses_sockets', 'Open glasses sockets', () => this.#open.glasses)
    metrics.gauge('app_sockets', 'Open app sockets', () => this.#open.app)
    this.#refused = metrics.counter('socket_messages_refused_total', 'Messages answered with an error', [
      'socket',
      'code',
    ])
    this.#dropped = metrics.counter('socket_dropped_total', 'What was dropped, by kind', ['kind'])
    this.#undecodable = metrics.counter(
      'glasses_audio_undecodable_total',
      'Frames of sound from glasses that could not be decoded',
    )
    this.#slow = metrics.counter('socket_slow_readers_total', 'Sockets closed because they read too slowly')
  }

  opened(socket: 'glasses' | 'app'): void {
    this.#open[socket] += 1
  }
  closed(socket: 'glasses' | 'app'): void {
    this.#open[socket] -= 1
  }
  refused(socket: 'glasses' | 'app', code: string): void {
    this.#refused.inc({ socket, code })
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

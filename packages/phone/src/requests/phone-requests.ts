import type { Message } from '@glasses-cloud/contract'
import type { Clock } from '../clock.ts'
import type { PhoneApi } from '../phone-api.ts'
import type { ResponseChannel } from '../phone-options.ts'
import type { PlaySound, Speak } from '../platform/platform.ts'
import type { Position } from '../position.ts'
import { AudioPlayer, type PlayedAudio } from './audio-player.ts'

export interface PhoneRequestsDeps {
  readonly api: PhoneApi
  readonly clock: Clock
  readonly playSound: PlaySound
  readonly speak: Speak | undefined
  readonly respondBy: ResponseChannel
  readonly position: Position | undefined
  readonly locate: (() => Promise<Position | undefined>) | undefined
  /** Sends a message on the socket; drops it if the connection is closed. */
  readonly send: (message: Message) => void
  readonly onPlayed: (audio: PlayedAudio) => void
  readonly onError: (error: Error) => void
}

/** Serves the requests of the cloud that the phone itself can serve, whatever the glasses: sound and location. */
export class PhoneRequests {
  /** Position of the user; may be changed at any time. Without it location polls are not answered. */
  position: Position | undefined
  readonly audioPlayer: AudioPlayer
  readonly #deps: PhoneRequestsDeps
  #locating: Promise<Position | undefined> | undefined

  constructor(deps: PhoneRequestsDeps) {
    this.#deps = deps
    this.position = deps.position
    const { clock, playSound, speak, send, onPlayed } = deps
    this.audioPlayer = new AudioPlayer({ clock, playSound, speak, send, onEnd: onPlayed })
  }

  /** Handles a request; ignores other messages. */
  handle(message: Message): void {
    if (message.type === 'request_single_location') void this.#answerLocationPoll(message)
    else this.audioPlayer.handle(message)
  }

  async #answerLocationPoll({ correlationId }: Message): Promise<void> {
    if (typeof correlationId !== 'string') return
    const { api, clock, respondBy, send, onError } = this.#deps
    try {
      const position = this.position ?? (await this.#locate())
      if (position === undefined) return
      const timestamp = clock.now()
      if (respondBy === 'socket')
        return send({ type: 'location_update', ...position, correlationId, timestamp })
      const path = `/api/client/location/poll-response/${encodeURIComponent(correlationId)}`
      await api.request('POST', path, { ...position, timestamp })
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Polls at the same time share one search. */
  #locate(): Promise<Position | undefined> {
    this.#locating ??= (async () => this.#deps.locate?.())().finally(() => {
      this.#locating = undefined
    })
    return this.#locating
  }
}

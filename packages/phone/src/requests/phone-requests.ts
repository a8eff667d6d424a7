import { type Message, parseLocationTier } from '@glasses-cloud/contract'
import type { Clock } from '../clock.ts'
import type { PhoneApi } from '../phone-api.ts'
import type { Position, ResponseChannel } from '../phone-options.ts'
import type { PlaySound, Speak } from '../platform/platform.ts'
import { AudioPlayer, type PlayedAudio } from './audio-player.ts'
import { LocationReports } from './location-reports.ts'

/** Systems that refuse the location do not all say so. */
const NOT_FOUND =
  'An app asks where you are. Allow the location in the settings of the phone, if you want to tell it.'

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
  readonly #reports: LocationReports | undefined
  #locating: Promise<Position> | undefined

  constructor(deps: PhoneRequestsDeps) {
    this.#deps = deps
    this.position = deps.position
    const { clock, playSound, speak, send, onPlayed, locate } = deps
    this.audioPlayer = new AudioPlayer({ clock, playSound, speak, send, onEnd: onPlayed })
    if (locate)
      this.#reports = new LocationReports({
        clock,
        find: async () => this.position ?? (await this.#locate(locate)),
        report: (position) => send({ type: 'location_update', ...position, timestamp: clock.now() }),
        onError: (error) => this.#fail(error),
      })
  }

  /** Ends the reports of the position: the cloud requests them again on each connection. */
  reset(): void {
    this.#reports?.stop()
  }

  /** Handles a request; ignores other messages. */
  handle(message: Message): void {
    if (message.type === 'request_single_location') void this.#answerLocationPoll(message)
    else if (message.type === 'set_location_tier')
      this.#reports?.follow(parseLocationTier(String(message.tier)))
    else this.audioPlayer.handle(message)
  }

  async #answerLocationPoll({ correlationId }: Message): Promise<void> {
    if (typeof correlationId !== 'string') return
    const { api, clock, locate, respondBy, send } = this.#deps
    try {
      const position = this.position ?? (locate && (await this.#locate(locate)))
      if (position === undefined) return
      const timestamp = clock.now()
      if (respondBy === 'socket')
        return send({ type: 'location_update', ...position, correlationId, timestamp })
      const path = `/api/client/location/poll-response/${encodeURIComponent(correlationId)}`
      await api.request('POST', path, { ...position, timestamp })
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Searches at the same time are one. @throws {Error} if the position is not found */
  #locate(locate: NonNullable<PhoneRequestsDeps['locate']>): Promise<Position> {
    const search = async () => {
      const found = await locate()
      if (found === undefined) throw new Error(NOT_FOUND)
      return found
    }
    this.#locating ??= search().finally(() => {
      this.#locating = undefined
    })
    return this.#locating
  }

  #fail(error: unknown): void {
    this.#deps.onError(error instanceof Error ? error : new Error(String(error)))
  }
}

/**
 * The answer to a request for something that the glasses do not have, so that the app learns it at once and not at its deadline.
 * @param timestamp epoch ms
 * @returns undefined for messages that are not such a request
 */
export function refuseRequest(message: Message, timestamp: number): Message | undefined {
  const { type, requestId } = message
  switch (type) {
    case 'photo_request':
      return {
        type: 'photo_response',
        requestId,
        success: false,
        errorCode: 'CAMERA_NOT_AVAILABLE',
        errorMessage: 'These glasses have no camera',
        timestamp,
      }
    case 'rgb_led_control':
      return { type: 'rgb_led_control_response', requestId, success: false, error: 'device_not_supported' }
    case 'start_rtmp_stream':
      return refusedStream('rtmp_stream_status', message, timestamp)
    case 'start_stream':
      return refusedStream('stream_status', message, timestamp)
    default:
      return undefined
  }
}

function refusedStream(type: string, { streamId }: Message, timestamp: number): Message {
  return { type, streamId, status: 'error', errorDetails: 'These glasses have no camera', timestamp }
}

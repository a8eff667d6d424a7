import type { Message } from '@glasses-cloud/contract'
import type { Clock, Timer } from '../clock.ts'
import { fetchAudio } from './fetch-audio.ts'

/** What the phone does when an app plays a sound. */
export type AudioPlayerBehavior =
  /** It fetches the sound, lets it play to its end, and says how that went. */
  | { readonly kind: 'play' }
  /** It cannot play, and says why. */
  | { readonly kind: 'fail'; readonly error: string }
  /** It says nothing, as older phones do. */
  | { readonly kind: 'ignore' }

/** A sound that an app asked for, and what became of it. */
export interface PlayedAudio {
  readonly requestId: string
  readonly appId: string
  readonly url: string
  readonly volume: number
  readonly trackId: number
  /** Absent for a sound that was not played to its end. */
  readonly seconds?: number
  /** Why it was not. */
  readonly error?: string
}

/** So many sounds are remembered. */
const MAX_HISTORY = 100

/** A sound that is fetched or plays. */
interface Playing {
  readonly appId: string
  readonly trackId: number
  /** Ends it before its time. */
  readonly stop: AbortController
}

/**
 * The loudspeaker of the glasses, with the phone's player before it. It makes no noise; it fetches what it is told to
 * play, and takes as long as that would.
 */
export class AudioPlayer {
  /** May be changed at any time. */
  behavior: AudioPlayerBehavior = { kind: 'play' }
  readonly #clock: Clock
  readonly #send: (message: Message) => void
  readonly #onEnd: (sound: PlayedAudio) => void
  readonly #playing = new Map<string, Playing>()
  #played: PlayedAudio[] = []

  /**
   * @param send says something to the cloud
   * @param ended hears of every sound that is over
   */
  constructor(clock: Clock, send: (message: Message) => void, ended: (sound: PlayedAudio) => void) {
    this.#clock = clock
    this.#send = send
    this.#onEnd = ended
  }

  /** The sounds that are over, oldest first; the last hundred are kept. */
  get played(): readonly PlayedAudio[] {
    return this.#played
  }

  /** Reacts to a message, if it is about sounds. */
  handle(message: Message): void {
    if (this.behavior.kind === 'ignore') return
    if (message.type === 'audio_play_request') void this.#play(message)
    else if (message.type === 'audio_stop_request') {
      this.#stop(({ appId, trackId }) => {
        const ofApp = appId === message.appId
        return ofApp && (typeof message.trackId !== 'number' || trackId === message.trackId)
      })
    }
  }

  /** Falls silent, without a word to the cloud. */
  stopAll(): void {
    this.#stop(() => true)
  }

  async #play(message: Message): Promise<void> {
    const sound = {
      requestId: String(message.requestId),
      appId: String(message.appId),
      url: String(message.audioUrl),
      volume: Number(message.volume ?? 1),
      trackId: Number(message.trackId ?? 0),
    }
    if (message.stopOtherAudio !== false) this.#stop(() => true)
    const { behavior } = this
    if (behavior.kind === 'fail') return this.#finish({ ...sound, error: behavior.error })
    const stop = new AbortController()
    this.#playing.set(sound.requestId, { ...sound, stop })
    try {
      const { seconds } = await fetchAudio(sound.url, stop.signal)
      await this.#wait(seconds * 1_000, stop.signal)
      this.#finish({ ...sound, seconds })
    } catch (error) {
      const why = stop.signal.aborted ? 'The sound was stopped' : (error as Error).message
      this.#finish({ ...sound, error: why })
    } finally {
      this.#playing.delete(sound.requestId)
    }
  }

  /** Rejects when the sound is stopped before the time is over. */
  #wait(ms: number, stopped: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      stopped.throwIfAborted()
      const timer: Timer = this.#clock.setTimeout(resolve, ms)
      const stop = () => {
        this.#clock.clearTimeout(timer)
        reject(stopped.reason)
      }
      stopped.addEventListener('abort', stop, { once: true })
    })
  }

  #stop(which: (playing: Playing) => boolean): void {
    for (const playing of this.#playing.values()) if (which(playing)) playing.stop.abort()
  }

  #finish(sound: PlayedAudio): void {
    this.#played = [...this.#played, sound].slice(-MAX_HISTORY)
    const { requestId, seconds, error } = sound
    this.#send({
      type: 'audio_play_response',
      requestId,
      success: error === undefined,
      error: error ?? null,
      duration: seconds ?? null,
    })
    this.#onEnd(sound)
  }
}

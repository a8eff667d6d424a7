import { cutText, type Message } from '@glasses-cloud/contract'
import type { Clock } from '../clock.ts'
import type { PlaySound, Speak } from '../platform/platform.ts'

/** Speech that an app requests of the cloud. */
export interface RequestedSpeech {
  readonly text: string
  /** Language tag, if the voice is named after one, as those of local synthesizers are. */
  readonly language: string | undefined
}

const SPEECH_URL = /^https?:\/\/[^?#]+\/api\/tts\?([^#]+)/i

const LANGUAGE = /^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i

/** As many characters as the cloud speaks. */
const MAX_CHARACTERS = 5_000

/** Returns the speech at an address of a sound; undefined if it is another sound. */
function requestedSpeech(url: string): RequestedSpeech | undefined {
  const query = SPEECH_URL.exec(url)?.[1]
  if (query === undefined) return undefined
  const text = cutText(parameter(query, 'text')?.trim() ?? '', MAX_CHARACTERS)
  const voice = parameter(query, 'voice_id') ?? ''
  return text ? { text, language: LANGUAGE.test(voice) ? voice.replaceAll('_', '-') : undefined } : undefined
}

/** Bare JavaScript engines have no `URLSearchParams`. */
function parameter(query: string, name: string): string | undefined {
  const pair = query.split('&').find((part) => part.startsWith(`${name}=`))
  try {
    return pair && decodeURIComponent(pair.slice(name.length + 1).replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** How the phone handles `audio_play_request`. */
export type AudioPlayerBehavior =
  /** Fetch the audio, play it to its end and report the result. */
  | { readonly kind: 'play' }
  /** Report this error. */
  | { readonly kind: 'fail'; readonly error: string }
  /** Send no response, as older phones do. */
  | { readonly kind: 'ignore' }

/** A finished `audio_play_request`. */
export interface PlayedAudio {
  readonly requestId: string
  readonly appId: string
  readonly url: string
  readonly volume: number
  readonly trackId: number
  /** Set if the audio was played to its end. */
  readonly durationSeconds?: number
  /** Why the audio was not played to its end. */
  readonly error?: string
}

const MAX_HISTORY = 100

interface ActivePlayback {
  readonly appId: string
  readonly trackId: number
  readonly abort: AbortController
}

export interface AudioPlayerDeps {
  readonly clock: Clock
  readonly playSound: PlaySound
  readonly speak: Speak | undefined
  /** Sends a message to the cloud. */
  readonly send: (message: Message) => void
  /** Called when a playback ends, successful or not. */
  readonly onEnd: (audio: PlayedAudio) => void
}

/** Audio player of phone and glasses. */
export class AudioPlayer {
  /** May be changed at any time. */
  behavior: AudioPlayerBehavior = { kind: 'play' }
  readonly #clock: Clock
  readonly #playSound: PlaySound
  readonly #speak: Speak | undefined
  readonly #send: (message: Message) => void
  readonly #onEnd: (audio: PlayedAudio) => void
  readonly #active = new Map<string, ActivePlayback>()
  #played: PlayedAudio[] = []

  constructor({ clock, playSound, speak, send, onEnd }: AudioPlayerDeps) {
    this.#clock = clock
    this.#playSound = playSound
    this.#speak = speak
    this.#send = send
    this.#onEnd = onEnd
  }

  /** The last 100 finished requests, oldest first. */
  get played(): readonly PlayedAudio[] {
    return this.#played
  }

  /** Handles `audio_play_request` and `audio_stop_request`; ignores other messages. */
  handle(message: Message): void {
    if (this.behavior.kind === 'ignore') return
    if (message.type === 'audio_play_request') void this.#play(message)
    else if (message.type === 'audio_stop_request') {
      this.#stop(({ appId, trackId }) => {
        const isSameApp = appId === message.appId
        return isSameApp && (typeof message.trackId !== 'number' || trackId === message.trackId)
      })
    }
  }

  /** Stops every playback. */
  stopAll(): void {
    this.#stop(() => true)
  }

  async #play(message: Message): Promise<void> {
    const request = {
      requestId: String(message.requestId),
      appId: String(message.appId),
      url: String(message.audioUrl),
      volume: Number(message.volume ?? 1),
      trackId: Number(message.trackId ?? 0),
    }
    if (message.stopOtherAudio !== false) this.stopAll()
    const { behavior } = this
    if (behavior.kind === 'fail') return this.#finish({ ...request, error: behavior.error })
    const abort = new AbortController()
    this.#active.set(request.requestId, { ...request, abort })
    try {
      this.#finish({ ...request, durationSeconds: await this.#playOrSpeak(request, abort.signal) })
    } catch (error) {
      const message = abort.signal.aborted ? 'The playback was stopped' : (error as Error).message
      this.#finish({ ...request, error: message })
    } finally {
      this.#active.delete(request.requestId)
    }
  }

  /** Plays a sound. Speech of the cloud that cannot be played is spoken by the phone, if it has a voice. */
  async #playOrSpeak(
    { requestId, url, volume }: Pick<PlayedAudio, 'requestId' | 'url' | 'volume'>,
    signal: AbortSignal,
  ): Promise<number> {
    const clock = this.#clock
    try {
      return await this.#playSound(url, { requestId, volume, signal, clock })
    } catch (error) {
      const speech = requestedSpeech(url)
      if (this.#speak === undefined || speech === undefined || signal.aborted) throw error
      const startedAt = clock.now()
      const { language } = speech
      await this.#speak(speech.text, { language, volume, signal }).catch((cause: Error) => {
        throw new Error(`${(error as Error).message}; ${cause.message}`, { cause })
      })
      return (clock.now() - startedAt) / 1_000
    }
  }

  #stop(matches: (playback: ActivePlayback) => boolean): void {
    for (const playback of this.#active.values()) if (matches(playback)) playback.abort.abort()
  }

  #finish(audio: PlayedAudio): void {
    this.#played = [...this.#played, audio].slice(-MAX_HISTORY)
    const { requestId, durationSeconds, error } = audio
    this.#send({
      type: 'audio_play_response',
      requestId,
      success: error === undefined,
      error: error ?? null,
      duration: durationSeconds ?? null,
    })
    this.#onEnd(audio)
  }
}

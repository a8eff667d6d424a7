import type { WakeWord } from '@glasses-cloud/contract'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import type { SessionSpeech } from '../parts/speech/port.ts'
import { CodedProvider, CodedSpeechPort, CodedSpotter } from './coded-provider.ts'
import { codedSpeech } from './coded-speech.ts'
import type { RecordingPeer } from './recording-peer.ts'
import { createAppDefinition, SessionRig } from './session-rig.ts'

export const APP = 'dev.example.a'
export const OTHER_APP = 'dev.example.b'
const FRAME_BYTES = 640
const FRAME_MS = 20

export interface SpeechRigOptions {
  readonly translates?: boolean
  readonly translate?: SessionSpeech['translate']
  /** Wake words of the two apps. */
  readonly wakeWords?: readonly [readonly WakeWord[], readonly WakeWord[]]
  /** Default: there are two. */
  readonly hasProviders?: boolean
}

/** A session with glasses, an app, and two providers that recognize coded speech. */
export class SpeechRig {
  readonly session: SessionRig
  readonly first: CodedProvider
  readonly second: CodedProvider
  readonly port: CodedSpeechPort
  readonly spotter: CodedSpotter
  glasses: RecordingPeer
  readonly app: RecordingPeer
  #ids = 0

  constructor({
    translates = false,
    translate,
    wakeWords: [first, second] = [[], []],
    hasProviders = true,
  }: SpeechRigOptions = {}) {
    const clock = new VirtualClock()
    this.first = new CodedProvider('first', clock, { translates })
    this.second = new CodedProvider('second', clock)
    this.spotter = new CodedSpotter(clock)
    const providers = hasProviders ? [this.first, this.second] : []
    this.port = new CodedSpeechPort(providers, translate, this.spotter)
    const apps = [
      createAppDefinition(APP, { wakeWords: first }),
      createAppDefinition(OTHER_APP, { wakeWords: second }),
    ]
    this.session = new SessionRig(apps, {
      speech: this.port,
      clock,
      // Random ids that differ.
      random: () => {
        this.#ids = (this.#ids + 0.137) % 1
        return this.#ids
      },
    })
    this.glasses = this.session.connectGlasses()
    this.app = this.session.runApp(APP)
  }

  get clock(): VirtualClock {
    return this.session.clock
  }

  subscribe(...subscriptions: string[]): void {
    this.session.subscribe(this.app, ...subscriptions)
    this.clock.advance(100)
  }

  /** Speaks words in real time, then pauses. */
  say(words: readonly number[], pauseMs = 1_000): void {
    this.play(codedSpeech(words, pauseMs))
  }

  play(pcm: Buffer): void {
    for (let at = 0; at < pcm.byteLength; at += FRAME_BYTES) {
      this.session.session.handleGlassesAudio(this.glasses, pcm.subarray(at, at + FRAME_BYTES))
      this.clock.advance(FRAME_MS)
    }
  }

  silence(ms: number): void {
    this.play(Buffer.alloc(ms * 32))
  }

  /** The frames of a stream that an app received since the last call, or all streams. */
  takeFrames(peer = this.app): { streamType: string; data: Record<string, unknown> }[] {
    return peer
      .takeMessages()
      .filter(({ type }) => type === 'data_stream')
      .map(({ streamType, data }) => ({
        streamType: String(streamType),
        data: data as Record<string, unknown>,
      }))
  }

  /** The final texts that the app received since the last call. */
  takeFinals(peer = this.app): string[] {
    return this.takeFrames(peer)
      .filter(({ data }) => data.isFinal === true)
      .map(({ data }) => String(data.text))
  }
}

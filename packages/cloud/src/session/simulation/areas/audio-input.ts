import assert from 'node:assert/strict'
import { type Message, needsSpeech } from '@glasses-cloud/contract'
import { DEFAULT_TIMING } from '../../timing.ts'
import type { Environment } from '../environment.ts'
import { type CallbackPeer, PACKAGES } from '../fixtures.ts'
import type { Area, Step } from './area.ts'

const AUDIO_MS = 2

/** Transcripts, voice activity and audio frames from the phone. */
export class AudioInput implements Area {
  readonly steps: readonly Step[] = [
    [3, 'the phone transcribes speech', () => this.#transcribe()],
    [2, 'the phone sends audio', () => this.#sendAudio()],
    [2, 'the phone reports voice activity', () => this.#reportVoice(this.#env.random.chance(0.6))],
  ]
  readonly #env: Environment
  /** The phone that reported that the user speaks. */
  #speaking: CallbackPeer | undefined
  /** Upper limit of the speech since the last transcription or report, in milliseconds. */
  #spokenMs = 0
  #observedAt = 0
  /** The phone that was told that it does not transcribe. */
  #told: CallbackPeer | undefined

  constructor(env: Environment) {
    this.#env = env
  }

  onGlassesMessage(peer: CallbackPeer, { type, status, reason }: Message): void {
    if (type !== 'transcription_status') return
    this.observe()
    if (status === 'available') {
      assert(this.#told, 'a recovery is reported only after a failure')
      this.#told = undefined
      return
    }
    assert.equal(reason, 'phone_not_transcribing')
    const isRepeated = this.#told !== undefined && this.#told !== peer
    assert(
      isRepeated || this.#spokenMs >= DEFAULT_TIMING.unrecognizedSpeechMs,
      'a phone is reported after 15 s of speech',
    )
    this.#told = peer
    this.#spokenMs = 0
  }

  observe(): void {
    const now = this.#env.clock.monotonicNow()
    if (this.#speaking) this.#spokenMs += now - this.#observedAt
    this.#observedAt = now
    if (this.#speaking !== this.#env.glasses.at(-1)) this.#speaking = undefined
  }

  prepareRest(): void {
    this.#reportVoice(true)
  }

  checkAtRest(): void {
    const { subscriptionLists, currentGlasses } = this.#env
    const state = currentGlasses?.lastOfType('microphone_state_change')
    const subscriptions = PACKAGES.flatMap((packageName) => subscriptionLists.get(packageName))
    const expected = [
      ...(subscriptions.some(({ stream }) => stream === 'audio_chunk') ? ['pcm'] : []),
      ...(subscriptions.some(needsSpeech) ? ['transcription'] : []),
    ]
    assert.deepEqual(state?.requiredData, expected, 'exactly the required data is requested')
    assert.equal(state?.isMicrophoneEnabled, expected.length > 0, 'the microphone is on if data is required')
    if (!expected.includes('transcription')) return
    const statusOf = () => currentGlasses?.lastOfType('transcription_status')?.status
    assert.equal(statusOf(), 'unavailable', 'a phone that does not transcribe for 30 s is told')
    this.#transcribe()
    assert.equal(statusOf(), 'available', 'a phone that transcribes again is told')
  }

  #transcribe(): void {
    const { random, currentGlasses, session } = this.#env
    const isFinal = random.chance(0.5)
    if (!currentGlasses) return
    session.handleGlassesMessage(currentGlasses, { type: 'local_transcription', text: 'hello', isFinal })
    this.#spokenMs = 0
  }

  #reportVoice(isSpeaking: boolean): void {
    const { currentGlasses, session } = this.#env
    if (!currentGlasses) return
    session.handleGlassesMessage(currentGlasses, { type: 'VAD', status: isSpeaking })
    this.#speaking = isSpeaking ? currentGlasses : undefined
  }

  #sendAudio(): void {
    const { currentGlasses, session } = this.#env
    if (!currentGlasses) return
    this.#spokenMs += AUDIO_MS
    session.handleGlassesAudio(currentGlasses, new Uint8Array(64))
  }
}

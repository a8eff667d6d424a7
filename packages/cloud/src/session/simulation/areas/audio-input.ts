import assert from 'node:assert/strict'
import { needsSpeech } from '@glasses-cloud/contract'
import type { Environment } from '../environment.ts'
import { PACKAGES } from '../fixtures.ts'
import type { Area, Step } from './area.ts'

/** Transcripts and audio frames from the phone. */
export class AudioInput implements Area {
  readonly steps: readonly Step[] = [
    [3, 'the phone transcribes speech', () => this.#transcribe()],
    [2, 'the phone sends audio', () => this.#sendAudio()],
  ]
  readonly #env: Environment

  constructor(env: Environment) {
    this.#env = env
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
  }

  #transcribe(): void {
    const { random, currentGlasses, session } = this.#env
    const isFinal = random.chance(0.5)
    if (currentGlasses)
      session.handleGlassesMessage(currentGlasses, { type: 'local_transcription', text: 'hello', isFinal })
  }

  #sendAudio(): void {
    const { currentGlasses, session } = this.#env
    if (currentGlasses) session.handleGlassesAudio(currentGlasses, new Uint8Array(64))
  }
}

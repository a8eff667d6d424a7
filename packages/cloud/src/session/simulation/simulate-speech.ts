import assert from 'node:assert/strict'
import { ABNORMAL_CLOSURE } from '@glasses-cloud/contract'
import type { CodedProvider } from '../testing/coded-provider.ts'
import { codedSpeech } from '../testing/coded-speech.ts'
import type { RecordingPeer } from '../testing/recording-peer.ts'
import { APP, SpeechRig } from '../testing/speech-rig.ts'
import { SeededRandom } from './fixtures.ts'

const SPEECH_MS = 120_000
const FAULTS = 10
/** Longest time for which a fault lasts: the audio kept for replay covers it. */
const MAX_FAULT_MS = 8_000
const STEP_BYTES = 3_200
/** A coded word with the gap after it. */
const WORD_BYTES = 3 * STEP_BYTES

/**
 * Two minutes of speech in one session with two modelled providers and ten faults at random times: providers that drop,
 * stall, expire or do not accept streams, a phone that reconnects, an app that reconnects.
 * @param seed the same seed produces the same run
 * @throws Error with the seed, the faults and the words, if a word was lost, repeated or reordered
 */
export function simulateSpeech(seed: number): void {
  const random = new SeededRandom(seed)
  const rig = new SpeechRig()
  const run = new SpeechRun(rig, random)
  rig.subscribe('transcription:en-US')
  const faultTimes = Array.from({ length: FAULTS }, () => random.below(SPEECH_MS)).toSorted((a, b) => a - b)
  const start = rig.clock.monotonicNow()
  while (rig.clock.monotonicNow() - start < SPEECH_MS) {
    run.utterance(() => {
      const elapsed = rig.clock.monotonicNow() - start
      while (faultTimes[0] !== undefined && faultTimes[0] <= elapsed) {
        faultTimes.shift()
        run.fault()
      }
    })
  }
  for (const _ of faultTimes) run.fault()
  run.utterance(() => {})
  run.rest()
  try {
    assert.equal(run.faults.length, FAULTS)
    assert.deepEqual(run.heard(), run.spoken, 'every word is final exactly once, in order')
    assert.equal(rig.session.endCount, 0)
    rig.session.session.end()
    assert.deepEqual(
      [rig.first.streams.size, rig.second.streams.size],
      [0, 0],
      'no stream outlives the session',
    )
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}\n${run.faults.join('\n')}`, { cause: error })
  }
}

class SpeechRun {
  readonly spoken: string[] = []
  readonly faults: string[] = []
  readonly #rig: SpeechRig
  readonly #random: SeededRandom
  readonly #peers: RecordingPeer[]
  #next = 0
  /** The phone loses its connection after the current word: one that is spoken in two parts is none. */
  #isPhoneLeaving = false

  constructor(rig: SpeechRig, random: SeededRandom) {
    this.#rig = rig
    this.#random = random
    this.#peers = [rig.app]
  }

  /** Speaks a few words and pauses. @param between called between two frames of audio */
  utterance(between: () => void): void {
    const numbers = Array.from({ length: 1 + this.#random.below(8) }, () => this.#next++)
    this.spoken.push(...numbers.map((number) => `w${number}`))
    const pcm = codedSpeech(numbers, 200 + this.#random.below(1_500))
    for (let at = 0; at < pcm.byteLength; at += STEP_BYTES) {
      this.#rig.play(pcm.subarray(at, at + STEP_BYTES))
      between()
      if (this.#isPhoneLeaving && at % WORD_BYTES === WORD_BYTES - STEP_BYTES) this.#reconnectPhone()
    }
  }

  fault(): void {
    const { first, second } = this.#rig
    const provider = this.#random.pick([first, second])
    const faults: readonly (readonly [string, () => void])[] = [
      ['provider drops', () => provider.drop()],
      ['provider drops', () => first.drop()],
      ['session expires', () => provider.drop('expired')],
      ['provider stalls', () => provider.stall()],
      ['provider rejects streams', () => this.#rejectStreams(provider)],
      ['provider accepts no stream', () => this.#acceptNone(provider)],
      [
        'phone reconnects',
        () => {
          this.#isPhoneLeaving = true
        },
      ],
      ['app reconnects', () => this.#reconnectApp()],
    ]
    const [name, inject] = this.#random.pick(faults)
    this.faults.push(`${this.#rig.clock.monotonicNow()} ${name} ${provider.name}`)
    inject()
  }

  /** Waits until all faults have ended and everything is final. */
  rest(): void {
    this.#rig.silence(90_000)
  }

  /** The words of the final segments that the app received. */
  heard(): string[] {
    const finals = this.#peers.flatMap((peer) => this.#rig.takeFinals(peer))
    return finals.flatMap((text) => text.split(' '))
  }

  #rejectStreams(provider: CodedProvider): void {
    provider.openFailure = 'retryable'
    provider.drop()
    this.#rig.clock.after(this.#random.below(MAX_FAULT_MS), () => {
      provider.openFailure = undefined
    })
  }

  #acceptNone(provider: CodedProvider): void {
    provider.openDelayMs = undefined
    provider.drop()
    this.#rig.clock.after(this.#random.below(MAX_FAULT_MS), () => {
      provider.openDelayMs = 50
    })
  }

  /** The phone loses its connection and speech pauses until it has another one. */
  #reconnectPhone(): void {
    const { session, glasses, clock } = this.#rig
    this.#isPhoneLeaving = false
    glasses.onClose = undefined
    glasses.close(ABNORMAL_CLOSURE, 'lost')
    session.session.detachGlasses(glasses)
    clock.advance(this.#random.below(20_000))
    this.#rig.glasses = session.connectGlasses()
  }

  #reconnectApp(): void {
    const { session, clock } = this.#rig
    const peer = this.#peers.at(-1)
    if (!peer || peer.closed) return
    peer.onClose = undefined
    peer.close(ABNORMAL_CLOSURE, 'lost')
    session.session.detachApp(APP, peer)
    clock.after(this.#random.below(4_000), () => {
      const again = session.connectApp(APP)
      assert(again, 'the app may reconnect within its grace period')
      this.#peers.push(again)
      session.subscribe(again, 'transcription:en-US')
    })
  }
}

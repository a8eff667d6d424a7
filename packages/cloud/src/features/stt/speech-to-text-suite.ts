import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { type TestContext, test } from 'node:test'
import type { SpeechFailure, SpeechOptions, SpeechSegment, SpeechStream } from '../../session/index.ts'
import { codedSpeech } from '../../session/testing/coded-speech.ts'
import { msOfBytes, type SpeechToText } from './speech-to-text.ts'
import { type Fault, providerKey } from './testing/fake-provider.ts'

/** What provides the recognition: a fake server, or processes on this machine. */
export interface ProviderUnderTest {
  fault: Fault | undefined
  close(): Promise<void>
  /** Resolves when no stream is open. */
  idle(): Promise<void>
}

/** Speech that the provider understands. */
export interface SuiteSpeech {
  /** PCM of words in one utterance, with a pause after it. */
  say(numbers: readonly number[], pauseMs?: number): Buffer
  /** The text of such words. */
  textOf(numbers: readonly number[]): string
}

const CODED_SPEECH: SuiteSpeech = {
  say: codedSpeech,
  textOf: (numbers) => numbers.map((number) => `w${number}`).join(' '),
}

/** An adapter under test, with its provider. */
export interface SpeechToTextUnderTest {
  readonly provider: SpeechToText
  readonly server: ProviderUnderTest
  /** Default: coded speech. */
  readonly speech?: SuiteSpeech
  /** Whether the provider speaks a protocol and ends sessions of a maximum length. Default: true. */
  readonly isRemote?: boolean
  /** Whether the provider has accounts. */
  readonly hasKey: boolean
  /** Kind of failure when a session reaches its maximum length. */
  readonly capFailure: SpeechFailure['kind'] | undefined
  /** A language that the provider reports as unsupported, if it does. */
  readonly unsupportedLanguage: string | undefined
}

const TIMEOUT_MS = 20_000
const FRAME_BYTES = 640

/** An open stream that records its events. */
export class RecordedStream {
  readonly segments: SpeechSegment[] = []
  readonly stream: SpeechStream
  failure: SpeechFailure | undefined
  isReady = false
  finalizedCount = 0
  readonly #events = new EventEmitter<{ event: [] }>()

  constructor(provider: SpeechToText, options: Partial<SpeechOptions> = {}) {
    const notify = () => void this.#events.emit('event')
    this.stream = provider.open(
      { language: 'en-US', hints: [], identifiesLanguage: true, ...options },
      {
        ready: () => {
          this.isReady = true
          notify()
        },
        segment: (segment) => {
          this.segments.push(segment)
          notify()
        },
        finalized: () => {
          this.finalizedCount += 1
          notify()
        },
        failed: (failure) => {
          this.failure = failure
          notify()
        },
      },
    )
  }

  get finals(): SpeechSegment[] {
    return this.segments.filter(({ isFinal }) => isFinal)
  }

  get finalText(): string {
    return this.finals.map(({ text }) => text).join(' ')
  }

  async until(isDone: () => boolean): Promise<void> {
    while (!isDone()) await once(this.#events, 'event', { signal: AbortSignal.timeout(TIMEOUT_MS) })
  }

  /** Pushes PCM in frames of 20 ms. */
  async push(pcm: Buffer): Promise<void> {
    for (let at = 0; at < pcm.byteLength; at += FRAME_BYTES) {
      if (this.failure) return
      this.stream.push(pcm.subarray(at, at + FRAME_BYTES))
      if (at % (FRAME_BYTES * 10) === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Pushes PCM, requests final text for it, and waits for that. */
  async recognize(pcm: Buffer): Promise<void> {
    const count = this.finalizedCount
    await this.push(pcm)
    this.stream.finalize()
    await this.until(() => this.finalizedCount > count || this.failure !== undefined)
  }
}

/** Tests the contract of `SpeechToText`. */
export function speechToTextSuite(start: (t: TestContext) => Promise<SpeechToTextUnderTest>): void {
  const open = async (t: TestContext, options: Partial<SpeechOptions> = {}) => {
    const underTest = await start(t)
    const recorded = new RecordedStream(underTest.provider, options)
    t.after(() => recorded.stream.close())
    return { isRemote: true, speech: CODED_SPEECH, ...underTest, recorded }
  }
  const openReady = async (t: TestContext) => {
    const opened = await open(t)
    await opened.recorded.until(() => opened.recorded.isReady)
    return opened
  }

  test('STT-50: the segments of one utterance', async (t) => {
    const { recorded, speech } = await openReady(t)
    const pcm = speech.say([1, 2, 3])
    await recorded.recognize(pcm)
    assert.equal(recorded.finalText, speech.textOf([1, 2, 3]))
    const [first, ...others] = recorded.segments.map(({ text }) => text)
    for (const text of others) assert.ok(text.startsWith(String(first)), `${text} begins with ${first}`)
    const [final] = recorded.finals
    assert.ok(final)
    assert.ok(final.startMs < final.endMs && final.endMs <= msOfBytes(pcm.byteLength), JSON.stringify(final))
    assert.equal(new Set(recorded.segments.map(({ utteranceId }) => utteranceId)).size, 1)
  })

  test('STT-51: two utterances in one stream', async (t) => {
    const { recorded, speech } = await openReady(t)
    const firstMs = msOfBytes(speech.say([4], 100).byteLength)
    for (const word of [4, 5, 6]) await recorded.recognize(speech.say([word], 100))
    assert.equal(recorded.finalText, speech.textOf([4, 5, 6]))
    const ends = recorded.finals.map(({ endMs }) => endMs)
    assert.deepEqual(
      ends,
      ends.toSorted((a, b) => a - b),
    )
    assert.ok((recorded.finals[1]?.startMs ?? 0) >= firstMs - 10, JSON.stringify(recorded.finals))
    assert.equal(new Set(recorded.finals.map(({ utteranceId }) => utteranceId)).size, 3)
  })

  test('STT-52: finalizations with and without audio', async (t) => {
    const { recorded, speech } = await openReady(t)
    recorded.stream.finalize()
    await recorded.push(speech.say([7], 100))
    recorded.stream.finalize()
    await recorded.push(speech.say([8], 100))
    recorded.stream.finalize()
    recorded.stream.finalize()
    await recorded.until(() => recorded.finalizedCount === 4)
    assert.equal(recorded.finalText, speech.textOf([7, 8]))
  })

  test('STT-53: closing during an utterance', async (t) => {
    const { recorded, server, speech } = await openReady(t)
    await recorded.push(speech.say([9]))
    recorded.stream.finalize()
    recorded.stream.close()
    recorded.stream.close()
    const count = recorded.segments.length
    await server.idle()
    assert.deepEqual(
      [recorded.segments.length, recorded.finalizedCount, recorded.failure],
      [count, 0, undefined],
    )
  })

  test('STT-54: a connection that breaks in mid-word is a retryable failure', async (t) => {
    const { recorded, server, speech } = await openReady(t)
    server.fault = 'drop'
    await recorded.recognize(speech.say([10, 11]))
    assert.equal(recorded.failure?.kind, 'retryable')
    assert.deepEqual(recorded.finals, [])
    await server.idle()
  })

  test('STT-54: a provider that cannot be reached is a retryable failure', async (t) => {
    const { provider, server } = await start(t)
    await server.close()
    const recorded = new RecordedStream(provider)
    await recorded.until(() => recorded.failure !== undefined)
    assert.equal(recorded.failure?.kind, 'retryable')
    assert.match(String(recorded.failure?.message), /cannot be reached|closed/)
  })

  test('STT-54: messages of another protocol are a retryable failure', async (t) => {
    const { recorded, server, speech, isRemote } = await openReady(t)
    if (!isRemote) return
    server.fault = 'garbage'
    await recorded.recognize(speech.say([12]))
    assert.equal(recorded.failure?.kind, 'retryable')
    await server.idle()
  })

  test('STT-55: a session of maximum length', async (t) => {
    const { recorded, server, capFailure, speech, isRemote } = await openReady(t)
    if (!isRemote) return
    server.fault = 'cap'
    await recorded.recognize(speech.say([13]))
    assert.equal(recorded.failure?.kind, capFailure)
  })

  test('STT-56: a rejected key and an exhausted account', async (t) => {
    const { provider, server, hasKey } = await start(t)
    if (!hasKey) return
    for (const [fault, kind] of [
      ['unauthorized', 'authentication'],
      ['exhausted', 'quota'],
    ] as const) {
      server.fault = fault
      const recorded = new RecordedStream(provider)
      await recorded.until(() => recorded.failure !== undefined)
      assert.equal(recorded.failure?.kind, kind)
      assert.ok(!recorded.failure?.message.includes(providerKey))
    }
  })

  test('STT-57: an unsupported language is reported where the provider reports it', async (t) => {
    const { provider, unsupportedLanguage } = await start(t)
    if (unsupportedLanguage === undefined) return
    const recorded = new RecordedStream(provider, { language: unsupportedLanguage })
    await recorded.until(() => recorded.failure !== undefined)
    assert.equal(recorded.failure?.kind, 'unsupported_language')
  })

  test('STT-58: a provider that accepts late', async (t) => {
    const { provider, server, speech = CODED_SPEECH } = await start(t)
    server.fault = 'slow'
    const early = new RecordedStream(provider)
    const recorded = new RecordedStream(provider)
    early.stream.close()
    assert.equal(recorded.isReady, false)
    server.fault = undefined
    await recorded.until(() => recorded.isReady)
    await recorded.recognize(speech.say([14]))
    assert.equal(recorded.finalText, speech.textOf([14]))
    recorded.stream.close()
    await server.idle()
    assert.deepEqual([early.isReady, early.failure], [false, undefined])
  })

  test('STT-59: a provider that stops responding answers no finalization, and can be closed', async (t) => {
    const { recorded, server, speech } = await openReady(t)
    server.fault = 'stall'
    await recorded.push(speech.say([15]))
    recorded.stream.finalize()
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(recorded.finalizedCount, 0)
    recorded.stream.close()
    await server.idle()
  })
}

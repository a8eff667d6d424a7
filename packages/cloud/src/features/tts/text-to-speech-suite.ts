import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import {
  SpeechProviderError,
  type SpeechRequest,
  type TextToSpeech,
  UnsupportedSpeechError,
} from './text-to-speech.ts'

/** An adapter under test, with control over its provider. */
export interface SpeechUnderTest {
  readonly speech: TextToSpeech
  /** Whether it supports Latin letters only; by default it supports every script. */
  readonly isLatinOnly?: boolean
  /** Makes the provider generate audio without end, or nearly. */
  makeLong(): void
  /** Resolves when the provider waits for its reader; rejects if it generates all audio before. */
  stalled(): Promise<void>
  /** Resolves when the adapter uses no more resources. */
  idle(): Promise<void>
  /** Interrupts the provider. */
  cut(): void
  /** The same adapter with a failing provider, and the HTTP status of its errors. */
  readonly failing: TextToSpeech
  readonly failingStatus: number | undefined
}

/** Tests the contract of `TextToSpeech`. */
export function textToSpeechSuite(start: (t: TestContext) => Promise<SpeechUnderTest>): void {
  const requestFor = (speech: TextToSpeech, text: string): SpeechRequest => ({
    text,
    voice: speech.voice ?? 'a-voice',
    model: speech.model,
    settings: { speed: 1.1, stability: 0.4 },
  })
  const long = 'The quick brown fox jumps over the lazy dog. '.repeat(110)
  const never = new AbortController().signal

  test('TTS-40: any text is converted to MP3, or rejected if its script is not supported', async (t) => {
    const { speech, isLatinOnly = false } = await start(t)
    const texts = ['Hello', '-v --help; rm -rf "$HOME" `id`\n\'<speak>\'', 'Grüße “naïve” – 👓', '…', '👓']
    const foreign = 'Grüße, 你好, こんにちは 👓'
    for (const text of isLatinOnly ? texts : [...texts, foreign]) {
      const audio = await buffer(await speech.synthesize(requestFor(speech, text), never))
      assert.ok(audio.length > 400, `${audio.length} bytes`)
      assert.equal(audio[0], 0xff)
      assert.equal((audio[1] ?? 0) & 0xe6, 0xe2, 'a frame of MPEG layer III')
    }
    if (isLatinOnly)
      await assert.rejects(speech.synthesize(requestFor(speech, foreign), never), UnsupportedSpeechError)
  })

  test('TTS-41: audio is streamed while it is generated, with backpressure', async (t) => {
    const { speech, makeLong, stalled, idle } = await start(t)
    makeLong()
    const blocked = stalled()
    const controller = new AbortController()
    const audio = (await speech.synthesize(requestFor(speech, long), controller.signal))[
      Symbol.asyncIterator
    ]()
    const { value } = await audio.next()
    assert.ok(value && value.length > 0)
    await blocked
    controller.abort()
    await idle()
  })

  test('TTS-42: aborting ends the audio with an error and releases its resources, even without a reader', async (t) => {
    const { speech, makeLong, idle } = await start(t)
    makeLong()
    const controller = new AbortController()
    const audio = (await speech.synthesize(requestFor(speech, long), controller.signal))[
      Symbol.asyncIterator
    ]()
    await audio.next()
    controller.abort()
    await idle()
    await assert.rejects(async () => {
      while (!(await audio.next()).done);
    })
    await assert.rejects(async () => {
      const late = await speech.synthesize(requestFor(speech, 'Hello'), AbortSignal.abort())
      await buffer(late)
    })
    await idle()
  })

  test('TTS-43: interrupted audio ends with an error, so that it is never mistaken for complete audio', async (t) => {
    const { speech, makeLong, cut, idle } = await start(t)
    makeLong()
    const audio = (await speech.synthesize(requestFor(speech, long), never))[Symbol.asyncIterator]()
    await audio.next()
    cut()
    await assert.rejects(async () => {
      while (!(await audio.next()).done);
    }, SpeechProviderError)
    await idle()
  })

  test('TTS-44: a provider that fails before any audio', async (t) => {
    const { speech, failing, failingStatus } = await start(t)
    await assert.rejects(
      async () => buffer(await failing.synthesize(requestFor(failing, 'personal'), never)),
      (error: unknown) => {
        assert.ok(error instanceof SpeechProviderError)
        assert.equal(error.status, failingStatus)
        assert.doesNotMatch(error.message, /personal/)
        return true
      },
    )
    assert.equal(await speech.problem(), undefined)
    assert.match((await failing.problem()) ?? '', /(TTS_[A-Z_]+|apt-get install)/)
  })
}

import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { SpeechProviderError, type SpeechRequest, type TextToSpeech } from './text-to-speech.ts'

/** An adapter with what works behind it, as the suite needs it. */
export interface SpeechUnderTest {
  readonly speech: TextToSpeech
  /** Where the provider makes sound for ever, or nearly: none of it may be made ahead of its reader. */
  makeLong(): void
  /** Waits until the provider waits for its reader; fails if it makes all its sound first. */
  stalled(): Promise<void>
  /** Waits until nothing works for it any more. */
  idle(): Promise<void>
  /** Cuts off what works for it. */
  cut(): void
  /** The same adapter over a provider that cannot speak, and the HTTP status by which it says so. */
  readonly failing: TextToSpeech
  readonly failingStatus: number | undefined
}

/** Proves what every adapter of text-to-speech promises. */
export function textToSpeechSuite(start: (t: TestContext) => Promise<SpeechUnderTest>): void {
  const wish = (speech: TextToSpeech, text: string): SpeechRequest => ({
    text,
    voice: speech.voice ?? 'a-voice',
    model: speech.model,
    settings: { speed: 1.1, stability: 0.4 },
  })
  const long = 'The quick brown fox jumps over the lazy dog. '.repeat(110)
  const never = new AbortController().signal

  test('TTS-40: a text becomes MP3, whatever its letters', async (t) => {
    const { speech } = await start(t)
    for (const text of [
      'Hello',
      '-v --help; rm -rf "$HOME" `id`\n\'<speak>\'',
      'Grüße, 你好, こんにちは 👓',
    ]) {
      const sound = await buffer(await speech.synthesize(wish(speech, text), never))
      assert.ok(sound.length > 400, `${sound.length} bytes`)
      assert.equal(sound[0], 0xff)
      assert.equal((sound[1] ?? 0) & 0xe6, 0xe2, 'a frame of MPEG layer III')
    }
  })

  test('TTS-41: sound comes as it is made, and no faster than it is taken', async (t) => {
    const { speech, makeLong, stalled, idle } = await start(t)
    makeLong()
    const waiting = stalled()
    const leaving = new AbortController()
    const sound = (await speech.synthesize(wish(speech, long), leaving.signal))[Symbol.asyncIterator]()
    const { value } = await sound.next()
    assert.ok(value && value.length > 0)
    await waiting
    leaving.abort()
    await idle()
  })

  test('TTS-42: aborting ends the audio with an error and releases its resources, even without a reader', async (t) => {
    const { speech, makeLong, idle } = await start(t)
    makeLong()
    const leaving = new AbortController()
    const sound = (await speech.synthesize(wish(speech, long), leaving.signal))[Symbol.asyncIterator]()
    await sound.next()
    leaving.abort()
    await idle()
    await assert.rejects(async () => {
      while (!(await sound.next()).done);
    })
    await assert.rejects(async () => {
      const late = await speech.synthesize(wish(speech, 'Hello'), AbortSignal.abort())
      await buffer(late)
    })
    await idle()
  })

  test('TTS-43: sound that is cut off ends with an error, so that it is never taken for the whole', async (t) => {
    const { speech, makeLong, cut, idle } = await start(t)
    makeLong()
    const sound = (await speech.synthesize(wish(speech, long), never))[Symbol.asyncIterator]()
    await sound.next()
    cut()
    await assert.rejects(async () => {
      while (!(await sound.next()).done);
    }, SpeechProviderError)
    await idle()
  })

  test('TTS-44: a provider that cannot speak says so before any sound, and says what to do', async (t) => {
    const { speech, failing, failingStatus } = await start(t)
    await assert.rejects(
      async () => buffer(await failing.synthesize(wish(failing, 'personal'), never)),
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

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SpeechToText } from '@glasses-cloud/cloud/stt'
import { VirtualClock } from '@glasses-cloud/cloud/testing-clock'
import { silence, tone } from '@glasses-cloud/phone'
import { recognize } from './recognize.ts'

type Listener = Parameters<SpeechToText['open']>[1]

/** A recognizer that does what the test says, at the times of its clock. */
function createProvider(reactions: {
  readonly onAudio?: (audioMs: number, listener: Listener) => void
  readonly onFinalize?: (listener: Listener) => void
}) {
  const calls = { utterancesMs: [] as number[], isClosed: false }
  const provider: SpeechToText = {
    name: 'controlled',
    translates: false,
    finalizeTimeoutMs: 1_000,
    supports: () => true,
    open: (_options, listener) => {
      let [audioMs, utteranceMs] = [0, 0]
      setImmediate(() => listener.ready())
      return {
        push: (pcm) => {
          audioMs += pcm.byteLength / 32
          utteranceMs += pcm.byteLength / 32
          reactions.onAudio?.(audioMs, listener)
        },
        finalize: () => {
          calls.utterancesMs.push(utteranceMs)
          utteranceMs = 0
          reactions.onFinalize?.(listener)
        },
        close: () => {
          calls.isClosed = true
        },
      }
    },
  }
  return { provider, calls }
}

const segment = (text: string, isFinal: boolean) => ({
  utteranceId: 'u0',
  text,
  isFinal,
  startMs: 0,
  endMs: 0,
})

/** Lets time pass in steps until the promise is settled. */
async function settle<Value>(clock: VirtualClock, promise: Promise<Value>, stepMs = 20): Promise<Value> {
  let isSettled = false
  promise.then(
    () => (isSettled = true),
    () => (isSettled = true),
  )
  while (!isSettled) {
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(stepMs)
  }
  return promise
}

describe('Recognize', () => {
  test('the first text counts from the beginning of the speech, the final one from the end of the sound', async () => {
    const clock = new VirtualClock()
    const { provider, calls } = createProvider({
      onAudio: (audioMs, listener) => {
        if (audioMs === 800) clock.after(10, () => listener.segment(segment('hello', false)))
      },
      onFinalize: (listener) =>
        void clock.after(250, () => {
          listener.segment(segment('hello', true))
          listener.segment(segment('world', true))
          listener.finalized()
        }),
    })
    const pcm = Buffer.concat([silence(500), tone(1_000)])
    const recognition = await settle(clock, recognize(provider, pcm, { language: 'en', pace: 1, clock }))
    assert.deepEqual(recognition, { text: 'hello world', firstTextMs: 310, finalMs: 250 })
    assert.equal(calls.isClosed, true)
  })

  test('a sound without text has no time of the first text', async () => {
    const clock = new VirtualClock()
    const { provider } = createProvider({
      onFinalize: (listener) => setImmediate(() => listener.finalized()),
    })
    const { text, firstTextMs } = await settle(
      clock,
      recognize(provider, silence(100), { language: 'en', pace: 2, clock }),
    )
    assert.deepEqual([text, firstTextMs], ['', undefined])
  })

  test('a long sound is recognized in utterances of 20 s, and without a pace there are no times', async () => {
    const clock = new VirtualClock()
    let number = 0
    let [waiting, mostWaiting] = [0, 0]
    const { provider, calls } = createProvider({
      onAudio: () => {
        mostWaiting = Math.max(mostWaiting, waiting)
      },
      onFinalize: (listener) => {
        waiting += 1
        setImmediate(() => {
          waiting -= 1
          number += 1
          listener.segment(segment(`part ${number}`, true))
          listener.finalized()
        })
      },
    })
    const recognition = await recognize(provider, silence(45_000), { language: 'en', pace: 0, clock })
    assert.deepEqual(recognition, {
      text: 'part 1 part 2 part 3',
      firstTextMs: undefined,
      finalMs: undefined,
    })
    assert.deepEqual(calls.utterancesMs, [20_000, 20_000, 5_000])
    assert.equal(mostWaiting, 0, 'audio waits for the text of the last utterance')
  })

  test('a recognizer that fails or does not answer is an error, and its stream is closed', async () => {
    const clock = new VirtualClock()
    const broken = createProvider({
      onAudio: (audioMs, listener) => {
        if (audioMs === 40)
          setImmediate(() => listener.failed({ kind: 'retryable', message: 'the process ended' }))
      },
    })
    const options = { language: 'en', pace: 1, clock }
    await assert.rejects(
      settle(clock, recognize(broken.provider, silence(60_000), options)),
      /the process ended/,
    )
    assert.equal(clock.pendingTimers, 0)
    const silent = createProvider({})
    await assert.rejects(
      settle(clock, recognize(silent.provider, silence(40), options), 60_000),
      /does not answer within five minutes/,
    )
    assert.deepEqual([broken.calls.isClosed, silent.calls.isClosed], [true, true])
    assert.deepEqual(broken.calls.utterancesMs, [], 'the sound was not sent to its end')
  })
})

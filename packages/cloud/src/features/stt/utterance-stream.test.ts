import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SpeechFailure } from '../../session/index.ts'
import { UtteranceStream } from './utterance-stream.ts'

test('STT-54: a provider that does not read or does not answer has failed, which is reported after the call', async () => {
  for (const [overload, message] of [
    [(stream: UtteranceStream) => stream.push(new Uint8Array(640)), 'local does not read the audio'],
    [
      (stream: UtteranceStream) => {
        for (let count = 0; count < 9; count += 1) stream.finalize()
      },
      'local does not return the text',
    ],
  ] as const) {
    const failures: SpeechFailure[] = []
    let closed = 0
    const connection = {
      waitingBytes: 3 * 1024 * 1024,
      send() {},
      stop() {},
      close() {
        closed += 1
      },
    }
    const stream = new UtteranceStream('local', () => connection, {
      ready() {},
      segment() {},
      finalized() {},
      failed: (failure) => failures.push(failure),
    })
    overload(stream)
    assert.deepEqual(failures, [])
    await nextTurn()
    await nextTurn()
    assert.deepEqual(failures, [{ kind: 'retryable', message }])
    assert.ok(closed > 0)
  }
})

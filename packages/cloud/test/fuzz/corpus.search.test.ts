import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sampleOf } from '../support/search-share.ts'
import { encodeInput, loadTarget, readCorpus, targetNames } from './fuzzer.ts'
import { runInput } from './target.ts'

/** Targets with a test. */
const replayed: string[] = []

/** Runs the inputs of a corpus, or an evenly spread share of them, and those from which it began. */
async function replay(name: string): Promise<void> {
  replayed.push(name)
  const { open, maxBytes } = await loadTarget(name)
  const target = await open()
  try {
    const corpus = readCorpus(name)
    assert.ok(corpus.length > 0, `npm run fuzz -- ${name} --keep makes a corpus`)
    for (const input of [...sampleOf(corpus), ...target.seeds.map((seed) => Buffer.from(seed))]) {
      assert.ok(input.length <= maxBytes)
      await runInput(target, input).catch((cause: unknown) => {
        throw new Error(`Input ${encodeInput(input)}`, { cause })
      })
    }
  } finally {
    await target.close?.()
  }
}

describe('inputs that the fuzzer found', () => {
  test('ROB-10: messages of glasses and apps, in both dialects', () => replay('socket-messages'))
  test('ROB-11: messages in a session', () => replay('session'))
  test('ROB-12: audio frames', () => replay('lc3'))
  test('ROB-13: publishers', () => replay('rtmp'))
  test('ROB-14: forms with files', () => replay('multipart'))
  test('ROB-15: requests of players', () => replay('hls'))
  test('ROB-16: messages of other nodes', () => replay('node-frames'))
  test('ROB-1 ROB-3: bodies of all endpoints', () => replay('rest-bodies'))
  test('ROB-10: every target has a test', () => assert.deepEqual(replayed.sort(), targetNames()))
})

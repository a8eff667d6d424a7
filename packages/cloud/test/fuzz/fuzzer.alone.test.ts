import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encodeInput, Finding, fuzz } from './fuzzer.ts'

/** Fails for inputs that begin with three bytes, of which only coverage finds one after the other. */
function isGuessed(input: Buffer): boolean {
  if (input[0] !== 0x47) return false
  if (input[1] !== 0x6c) return false
  return input[2] === 0x61
}

const target = (run: (input: Buffer) => void) => ({ maxBytes: 16, open: () => ({ seeds: ['start'], run }) })

const options = { corpus: [], milliseconds: 60_000, seed: 1 }

describe('the fuzzer', () => {
  test('follows what runs new code', async () => {
    const guessing = fuzz({
      ...options,
      target: target((input) => assert.ok(!isGuessed(input), 'guessed')),
    })
    await assert.rejects(guessing, (error) => error instanceof Finding && error.input.indexOf('Gla') === 0)
  })

  test('reports inputs that take too long', async () => {
    const slow = target((input) => {
      const started = process.cpuUsage()
      while (input.length > 5 && process.cpuUsage(started).user < 600_000);
    })
    await assert.rejects(fuzz({ ...options, target: slow }), /takes \d+ ms/)
  })

  test('writes inputs in printable characters', () => {
    assert.equal(encodeInput(Buffer.from('a%b\n\0\xff~ ', 'latin1')), 'a%25b%0a%00%ff~ ')
  })
})

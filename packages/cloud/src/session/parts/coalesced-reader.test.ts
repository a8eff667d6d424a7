import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoreResult } from '../ports.ts'
import { CoalescedReader } from './coalesced-reader.ts'

test('SET-8: each caller receives the result of a read that started after its call, in order', () => {
  const reads: ((value: StoreResult<string>) => void)[] = []
  const got: string[] = []
  const ordered = new CoalescedReader<string>((done) => reads.push(done))
  const read = (caller: string) =>
    ordered.read((value) => got.push(`${caller} ${value.ok ? value.value : 'failed'}`))
  const finish = (value: string) => reads.shift()?.({ ok: true, value })
  read('first')
  read('second')
  read('third')
  assert.equal(reads.length, 1, 'one read at a time')
  finish('old')
  assert.deepEqual(got, ['first old'])
  assert.equal(reads.length, 1)
  read('fourth')
  reads.shift()?.({ ok: false })
  finish('new')
  assert.deepEqual(got, ['first old', 'second failed', 'third failed', 'fourth new'])
  assert.equal(ordered.isReading, false)
})

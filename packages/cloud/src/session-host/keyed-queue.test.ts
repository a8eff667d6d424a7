import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { writeLatest } from './keyed-queue.ts'

test('ADM-17: of models that are reported during a write only the last is stored, also after a failure', async () => {
  const written: string[] = []
  const failures: unknown[] = []
  let complete = () => {}
  const store = writeLatest<string>(
    async (value) => {
      written.push(value)
      await new Promise<void>((resolve) => {
        complete = resolve
      })
      if (value === 'one') throw new Error('lost')
    },
    (error) => failures.push(error),
  )
  for (const value of ['one', 'two', 'three']) store(value)
  assert.deepEqual(written, ['one'])
  complete()
  await setImmediate()
  assert.deepEqual([written, failures.length], [['one', 'three'], 1])
  complete()
  await setImmediate()
  store('four')
  assert.deepEqual(written, ['one', 'three', 'four'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { untilAborted } from './until-aborted.ts'

test('chunks that were read are not kept in memory', async () => {
  const collectGarbage = exposeGarbageCollector()
  const read: WeakRef<object>[] = []
  const source = async function* () {
    for (let index = 0; index < 100; index += 1) {
      const chunk = { index }
      read.push(new WeakRef(chunk))
      yield chunk
    }
    // A WeakRef keeps its object until the end of the current task.
    await new Promise(setImmediate)
    collectGarbage()
    const kept = read.filter((chunk) => chunk.deref() !== undefined).length
    assert.ok(kept < 10, `${kept} of 100 chunks are in memory`)
  }
  let count = 0
  for await (const _ of untilAborted(source(), new AbortController().signal)) count += 1
  assert.equal(count, 100)
})

function exposeGarbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shutDown } from './shutdown.ts'

const never = () => new Promise<void>(() => {})

function recordingLog() {
  const lines: [fields: object, message: string][] = []
  return { lines, log: { error: (fields: object, message: string) => void lines.push([fields, message]) } }
}

test('HTTP-46: the tasks of a phase run in parallel, phases in order, and a failure stops neither', async () => {
  const events: string[] = []
  const { lines, log } = recordingLog()
  const second = Promise.withResolvers<void>()
  const failure = new Error('broken')
  await shutDown(
    [
      [
        { name: 'first', run: () => second.promise.then(() => void events.push('first')) },
        { name: 'second', run: async () => second.resolve() },
        { name: 'failing', run: () => Promise.reject(failure) },
      ],
      [{ name: 'last', run: async () => void events.push('last') }],
    ],
    { deadlineMs: 60_000, log },
  )
  assert.deepEqual(events, ['first', 'last'])
  assert.deepEqual(lines, [[{ err: failure, task: 'failing' }, 'shutdown: task failed']])
})

test('HTTP-46: a shutdown ends at its deadline and names what is pending', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { lines, log } = recordingLog()
  const closing = shutDown([[{ name: 'sockets', run: never }], [{ name: 'database', run: never }]], {
    deadlineMs: 15_000,
    log,
  })
  t.mock.timers.tick(15_000)
  await closing
  assert.deepEqual(lines, [[{ pending: ['sockets', 'database'] }, 'shutdown: deadline exceeded']])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TimerWorker, WorkerClock } from './worker-clock.ts'

class ManualWorker implements TimerWorker {
  onmessage: TimerWorker['onmessage'] = null
  onerror: TimerWorker['onerror'] = null
  readonly requests: { readonly id: number; readonly afterMs: number }[] = []

  postMessage(request: { readonly id: number; readonly afterMs: number }): void {
    this.requests.push(request)
  }
}

test('CON-237: timers are run once by the worker, and not after they were cleared', () => {
  const worker = new ManualWorker()
  const clock = new WorkerClock(worker)
  const runs: string[] = []
  clock.setTimeout(() => runs.push('first'), 8000)
  const second = clock.setTimeout(() => runs.push('second'), 350)
  assert.deepEqual(
    worker.requests.map(({ afterMs }) => afterMs),
    [8000, 350],
  )
  clock.clearTimeout(second)
  clock.clearTimeout(undefined)
  for (const { id } of [...worker.requests, ...worker.requests]) worker.onmessage?.({ data: id })
  assert.deepEqual(runs, ['first'])
})

test('CON-237: without the worker the timers are those of the page', async () => {
  const worker = new ManualWorker()
  const clock = new WorkerClock(worker)
  const waiting = new Promise<void>((resolve) => clock.setTimeout(resolve, 60_000))
  worker.onerror?.()
  await waiting
  await new Promise<void>((resolve) => clock.setTimeout(resolve, 1))
  assert.equal(worker.requests.length, 1)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { WorkerFailedError, WorkerPool } from './worker-pool.ts'

/** A worker that answers with its thread id and the message, hangs, or throws. */
const PROGRAM = `
  const { parentPort, threadId } = require('node:worker_threads')
  parentPort.on('message', (message) => {
    if (message === 'hang') for (;;);
    if (message === 'throw') throw new Error('out of order')
    if (message !== 'wait') parentPort.postMessage([threadId, message])
  })`

const never = new AbortController().signal

function createPool(t: TestContext, { maxWorkers = 1, idleTimeoutMs = 60_000 } = {}) {
  const started: Worker[] = []
  const options = {
    startWorker: () => {
      const worker = new Worker(PROGRAM, { eval: true })
      started.push(worker)
      return worker
    },
    maxWorkers,
    jobTimeoutMs: 20_000,
    idleTimeoutMs,
  }
  const pool = new WorkerPool<string, [thread: number, message: string]>(options)
  t.after(() => pool.close())
  return { pool, options, started }
}

describe('pool of worker threads', () => {
  test('TTS-77: workers are started on demand, reused, limited in number, and jobs run in order', async (t) => {
    const { pool, started } = createPool(t, { maxWorkers: 2 })
    assert.equal(started.length, 0)
    const [first] = await pool.run('first', never)
    const [second] = await pool.run('second', never)
    assert.deepEqual([first, started.length], [second, 1])
    const order: string[] = []
    const messages = ['a', 'b', 'c', 'd', 'e', 'f']
    await Promise.all(messages.map(async (each) => order.push((await pool.run(each, never))[1])))
    assert.equal(started.length, 2)
    // The second worker starts while the first one works.
    assert.deepEqual(
      order.filter((each) => each !== 'b'),
      messages.filter((each) => each !== 'b'),
    )
  })

  test('TTS-77: idle workers are terminated, and started again for the next job', async (t) => {
    const { pool, started } = createPool(t, { idleTimeoutMs: 10 })
    await pool.run('first', never)
    assert.ok(started[0])
    await once(started[0], 'exit')
    assert.equal(pool.workers, 0)
    assert.equal((await pool.run('second', never))[1], 'second')
    assert.equal(started.length, 2)
  })

  test('TTS-76: a worker that hangs or fails is replaced, and only its job fails', async (t) => {
    const { pool, options, started } = createPool(t)
    for (const [message, jobTimeoutMs, reason] of [
      ['hang', 500, 'The worker did not finish within 500 ms'],
      ['throw', 20_000, 'The worker failed'],
    ] as const) {
      options.jobTimeoutMs = jobTimeoutMs
      const failing = pool.run(message, never)
      options.jobTimeoutMs = 20_000
      const next = pool.run('next', never)
      await assert.rejects(failing, (error: Error) => {
        assert.ok(error instanceof WorkerFailedError)
        assert.equal(error.message, reason)
        return true
      })
      assert.equal((await pool.run('at once', never))[1], 'at once')
      assert.equal((await next)[1], 'next')
      assert.ok(pool.workers <= 1)
    }
    assert.equal(started.length, 3)
  })

  test('TTS-42: aborting removes a job from the queue and drops the result of a running one', async (t) => {
    const { pool, started } = createPool(t)
    const controller = new AbortController()
    const running = pool.run('running', controller.signal)
    const queued = pool.run('queued', controller.signal)
    const next = pool.run('next', never)
    assert.equal(pool.jobs, 3)
    controller.abort(new Error('gone'))
    assert.equal(pool.jobs, 2)
    await assert.rejects(running, /gone/)
    await assert.rejects(queued, /gone/)
    await assert.rejects(pool.run('late', controller.signal), /gone/)
    assert.equal((await next)[1], 'next')
    assert.deepEqual([pool.jobs, started.length], [0, 1])
  })

  test('TTS-28: closing fails running, queued and later jobs', async (t) => {
    const { pool } = createPool(t)
    const jobs = [pool.run('wait', never), pool.run('queued', never)]
    const failures = Promise.all(jobs.map((job) => assert.rejects(job, WorkerFailedError)))
    await pool.close()
    await failures
    await assert.rejects(pool.run('late', never), WorkerFailedError)
    assert.equal(pool.workers, 0)
  })
})

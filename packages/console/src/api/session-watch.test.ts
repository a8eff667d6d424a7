import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SessionUser, SessionWatch } from './session-watch.ts'

const ada = { id: '1', email: 'ada@example.org' }
const bob = { id: '2', email: 'bob@example.org' }

/** A cloud with the session that a test sets; undefined: it cannot be reached. */
class FakeCloud {
  session: SessionUser | null | undefined = ada
  reads = 0
  reloads = 0
  readonly received: string[] = []
  readonly watch = new SessionWatch(
    async () => {
      this.reads++
      if (this.session === undefined) throw new TypeError('fetch failed')
      return this.session
    },
    () => this.reloads++,
  )

  fetch(path: string, init?: RequestInit): Promise<Response> {
    return this.watch.fetch(new Request(`http://cloud.example${path}`, init), async (request) => {
      this.received.push(await request.text())
      return new Response(null, { status: this.session === ada ? 200 : 401 })
    })
  }
}

const save = { method: 'PUT', body: 'name=Ada' }

test('CON-109: a request that was rejected is sent again after the sign-in, with its body', async () => {
  const cloud = new FakeCloud()
  cloud.watch.setUser(ada)
  let changes = 0
  cloud.watch.subscribe(() => changes++)
  cloud.session = null
  const responses = [cloud.fetch('/api/account/profile', save), cloud.fetch('/api/account/me')]
  while (cloud.watch.endedFor === undefined) await new Promise(setImmediate)
  assert.deepEqual([cloud.watch.endedFor, changes], [ada, 1])
  cloud.session = ada
  await cloud.watch.recheck()
  assert.deepEqual(
    (await Promise.all(responses)).map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual(cloud.received.sort(), ['', '', 'name=Ada', 'name=Ada'])
  assert.deepEqual([cloud.watch.endedFor, changes, cloud.reloads], [undefined, 2, 0])
})

test('CON-109: another user who signs in gets the page afresh', async () => {
  const cloud = new FakeCloud()
  cloud.watch.setUser(ada)
  cloud.session = null
  assert.equal(await cloud.watch.hasEnded(), true)
  cloud.session = bob
  await cloud.watch.recheck()
  assert.deepEqual([cloud.watch.endedFor, cloud.reloads], [ada, 1])
  // As a page reads it that was shown again before this was noticed.
  cloud.watch.setUser(bob)
  assert.deepEqual([cloud.watch.endedFor, cloud.reloads], [ada, 2])
})

test('CON-109: rejections that are no end of the session are returned', async () => {
  const cloud = new FakeCloud()
  // Nobody was signed in.
  cloud.session = null
  assert.equal((await cloud.fetch('/api/account/me')).status, 401)
  assert.equal(cloud.reads, 0)
  cloud.watch.setUser(ada)
  // A wrong password of the sign-in, and a cloud that cannot be reached.
  assert.equal((await cloud.fetch('/api/auth/sign-in/email', save)).status, 401)
  cloud.session = undefined
  assert.equal((await cloud.fetch('/api/account/me')).status, 401)
  assert.equal(cloud.watch.endedFor, undefined)
})

test('CON-109: who signs out on purpose is not asked to sign in again', async () => {
  const cloud = new FakeCloud()
  cloud.watch.setUser(ada)
  assert.equal((await cloud.fetch('/api/auth/sign-out', { method: 'POST' })).status, 200)
  cloud.session = null
  assert.equal((await cloud.fetch('/api/account/me')).status, 401)
  assert.equal(cloud.watch.endedFor, undefined)
})

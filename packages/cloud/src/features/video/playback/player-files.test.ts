import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { PLAYER_SCRIPT } from './player-files.ts'

/** Runs the script on a page whose stream exists until `end` is called. */
function openPage(globals: object) {
  let pageStatus = 200
  const status = { textContent: '', hidden: false }
  const events = new EventEmitter()
  const sources: string[] = []
  const video = {
    addEventListener: (name: string, listener: () => void, options?: { readonly once?: boolean }) =>
      options?.once ? events.once(name, listener) : events.on(name, listener),
    removeEventListener: (name: string, listener: () => void) => events.off(name, listener),
    canPlayType: () => 'maybe',
    play: async () => {},
    load: () => sources.push('load'),
    set src(source: string) {
      sources.push(source)
    },
  }
  const timers: (() => void)[] = []
  runInNewContext(PLAYER_SCRIPT, {
    document: { getElementById: (id: string) => (id === 'video' ? video : status) },
    location: { pathname: '/streams/input/token', href: 'http://cloud/streams/input/token' },
    fetch: async () => ({ status: pageStatus }),
    setTimeout: (task: () => void) => timers.push(task),
    ...globals,
  })
  return {
    status,
    sources,
    emit: async (name: string) => {
      events.emit(name)
      await nextTurn()
    },
    /** Runs the timers that are pending, and returns how many they were. */
    wait: async () => {
      const due = timers.splice(0)
      for (const task of due) task()
      await nextTurn()
      return due.length
    },
    end: () => {
      pageStatus = 404
    },
  }
}

test('STR-115: a browser without hls.js waits for the stream, and is told its end', async () => {
  const page = openPage({})
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    assert.equal(page.sources.length, attempt)
    await page.emit('error')
    assert.equal(page.status.textContent, 'Waiting for the stream …')
    await page.wait()
  }
  await page.emit('playing')
  assert.equal(page.status.hidden, true)
  page.end()
  await page.emit('error')
  assert.deepEqual([page.status.textContent, await page.wait()], ['The stream has ended', 0])
})

test('STR-115: a stream that the browser cannot decode is tried again after a pause, not at once', async () => {
  let recoveries = 0
  let players = 0
  class Hls {
    static Events = { MANIFEST_PARSED: 'manifest', ERROR: 'error' }
    static ErrorTypes = { MEDIA_ERROR: 'media' }
    static isSupported = () => true
    #failed = (_event: string, _data: object) => {}
    constructor() {
      players += 1
    }
    on(event: string, listener: (event: string, data: object) => void) {
      if (event === Hls.Events.ERROR) this.#failed = listener
    }
    loadSource() {}
    attachMedia() {
      if (recoveries < 100) this.#failed('error', { type: 'media', fatal: true })
    }
    recoverMediaError() {
      recoveries += 1
      this.attachMedia()
    }
    destroy() {}
  }
  const page = openPage({ Hls })
  await nextTurn()
  assert.deepEqual([recoveries, players], [1, 1])
  assert.equal(page.status.textContent, 'Waiting for the stream …')
  assert.equal(await page.wait(), 1)
  assert.deepEqual([recoveries, players], [1, 2])
})

test('STR-115: who watched a stream to its end is told so, with hls.js and without', async () => {
  let destroyed = 0
  class Hls {
    static Events = { MANIFEST_PARSED: 'manifest', ERROR: 'error' }
    static isSupported = () => true
    on() {}
    loadSource() {}
    attachMedia() {}
    destroy() {
      destroyed += 1
    }
  }
  for (const globals of [{ Hls }, {}]) {
    const page = openPage(globals)
    page.end()
    await page.emit('ended')
    assert.deepEqual([page.status.textContent, await page.wait()], ['The stream has ended', 0])
  }
  assert.equal(destroyed, 1)
})

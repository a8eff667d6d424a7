import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { Glasses } from '../src/index.ts'
import { MessageHistory } from '../src/messages/message-history.ts'
import { FakeCloud } from './support/fake-cloud.ts'
import { ManualClock } from './support/manual-clock.ts'

const show = (text: string, view = 'main') => ({
  type: 'display_event',
  packageName: 'a.b',
  view,
  layout: { layoutType: 'text_wall', text },
})

describe('Waiting', () => {
  test('SIM-30: for the lens, by text across line breaks, pattern and question', async (t) => {
    const cloud = await FakeCloud.open(t)
    const glasses = new Glasses({ url: cloud.url, token: 't', display: { width: 10 } })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    const connection = await cloud.connection(0)
    await glasses.waitForDisplay(/^$/)
    const later = glasses.waitForDisplay('hello wide world')
    connection.send(show('hello wide world'))
    assert.deepEqual((await later).lines, ['hello wide', 'world'])
    await glasses.waitForDisplay(/wide world$/)
    await glasses.waitForDisplay((lens) => lens.lines.length === 2)
  })

  test('SIM-30: at its deadline with what there is instead', async (t) => {
    const cloud = await FakeCloud.open(t)
    const clock = new ManualClock()
    const glasses = new Glasses({ url: cloud.url, token: 't', clock })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    const changed = once(glasses, 'lens')
    cloud.connections[0]?.send(show('something else'))
    await changed
    const lens = assert.rejects(glasses.waitForDisplay('words', { timeoutMs: 50 }), {
      message: 'Waited 50 ms for the lens to show words; it shows: "something else"',
    })
    const message = assert.rejects(glasses.waitForMessage('app_started', undefined, { timeoutMs: 50 }), {
      message: 'Waited 50 ms for app_started; the last messages were: connection_ack, display_event',
    })
    const microphone = assert.rejects(
      glasses.waitForMicrophone(true, { timeoutMs: 50 }),
      /microphone to be on/,
    )
    await clock.advance(50)
    await Promise.all([lens, message, microphone])
    assert.equal(glasses.listenerCount('lens') + glasses.listenerCount('message'), 0)
  })

  test('SIM-26: only what is seen is a change of the lens', async (t) => {
    const cloud = await FakeCloud.open(t)
    const glasses = new Glasses({ url: cloud.url, token: 't' })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    const seen: string[] = []
    glasses.on('lens', (lens) => seen.push(lens.text))
    const connection = await cloud.connection(0)
    for (const message of [show('a'), show('a'), show('board', 'dashboard'), show('b')])
      connection.send(message)
    await glasses.waitForDisplay('b')
    glasses.moveHead('up')
    assert.deepEqual(seen, ['a', 'b', 'board'])
  })

  test('SIM-31: messages are read like a stream, each type for itself', async (t) => {
    const cloud = await FakeCloud.open(t)
    const clock = new ManualClock()
    const glasses = new Glasses({ url: cloud.url, token: 't', clock })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    const connection = await cloud.connection(0)
    for (const at of [1, 2, 3]) connection.send({ type: 'app_started', at })
    connection.send({ type: 'app_stopped', at: 4 })
    assert.equal((await glasses.waitForMessage('app_stopped')).at, 4)
    assert.equal((await glasses.waitForMessage('app_started', (message) => message.at === 2)).at, 2)
    assert.equal((await glasses.waitForMessage('app_started')).at, 3)
    const none = assert.rejects(glasses.waitForMessage('app_started', undefined, { timeoutMs: 10 }))
    await clock.advance(10)
    await none
    assert.equal(glasses.messages('app_started').length, 3)
  })

  test('SIM-32: the last thousand messages are kept', () => {
    const inbox = new MessageHistory()
    inbox.add({ type: 'tick', at: -1 })
    assert.equal(inbox.next('tick', () => true)?.at, -1)
    for (let at = 0; at < 1_500; at++) inbox.add({ type: 'tick', at })
    assert.equal(inbox.list().length, 1_000)
    assert.equal(inbox.next('tick', () => true)?.at, 500)
    assert.equal(inbox.next('tick', () => true)?.at, 501)
  })
})

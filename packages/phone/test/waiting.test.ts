import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { Glasses } from '../src/index.ts'
import { MessageHistory } from '../src/messages/message-history.ts'
import { FakeCloud } from './support/fake-cloud.ts'
import { ManualClock } from './support/manual-clock.ts'

const displayEvent = (text: string, view = 'main') => ({
  type: 'display_event',
  packageName: 'a.b',
  view,
  layout: { layoutType: 'text_wall', text },
})

describe('Waiting', () => {
  test('waits for the display, by text across line breaks, pattern and predicate', async (t) => {
    const cloud = await FakeCloud.start(t)
    const glasses = new Glasses({ url: cloud.url, token: 't', display: { width: 10 } })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    const connection = await cloud.connection(0)
    await glasses.waitForDisplay(/^$/)
    const later = glasses.waitForDisplay('hello wide world')
    connection.send(displayEvent('hello wide world'))
    assert.deepEqual((await later).lines, ['hello wide', 'world'])
    await glasses.waitForDisplay(/wide world$/)
    await glasses.waitForDisplay((display) => display.lines.length === 2)
  })

  test('fails at its deadline with the current state', async (t) => {
    const cloud = await FakeCloud.start(t)
    const clock = new ManualClock()
    const glasses = new Glasses({ url: cloud.url, token: 't', clock })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    const changed = once(glasses, 'displayChange')
    cloud.connections[0]?.send(displayEvent('something else'))
    await changed
    const display = assert.rejects(glasses.waitForDisplay('words', { timeoutMs: 50 }), {
      message: 'Timed out after 50 ms waiting for the display to show words; it shows: "something else"',
    })
    const message = assert.rejects(glasses.waitForMessage('app_started', undefined, { timeoutMs: 50 }), {
      message:
        'Timed out after 50 ms waiting for app_started; the last messages were: connection_ack, display_event',
    })
    const microphone = assert.rejects(
      glasses.waitForMicrophone(true, { timeoutMs: 50 }),
      /microphone to be on/,
    )
    await clock.advance(50)
    await Promise.all([display, message, microphone])
    assert.equal(glasses.listenerCount('displayChange') + glasses.listenerCount('message'), 0)
  })

  test('only visible changes are emitted', async (t) => {
    const cloud = await FakeCloud.start(t)
    const glasses = new Glasses({ url: cloud.url, token: 't' })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    const seen: string[] = []
    glasses.on('displayChange', (display) => seen.push(display.text))
    const connection = await cloud.connection(0)
    for (const message of [
      displayEvent('a'),
      displayEvent('a'),
      displayEvent('board', 'dashboard'),
      displayEvent('b'),
    ])
      connection.send(message)
    await glasses.waitForDisplay('b')
    glasses.moveHead('up')
    assert.deepEqual(seen, ['a', 'b', 'board'])
  })

  test('the lens says that the phone does not transcribe, until the status is available', async (t) => {
    const cloud = await FakeCloud.start(t)
    const glasses = new Glasses({ url: cloud.url, token: 't' })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    const connection = await cloud.connection(0)
    const status = { type: 'transcription_status', stream: 'transcription:en-US', language: 'en-US' }
    const notice = /^Speech is not recognized.*STT_PROVIDERS/s
    const showNotice = async () => {
      connection.send({ ...status, status: 'unavailable', reason: 'phone_not_transcribing' })
      await glasses.waitForDisplay(notice)
    }
    connection.send(displayEvent('a'))
    connection.send({ ...status, status: 'unavailable', reason: 'provider_unavailable' })
    connection.send(displayEvent('board', 'dashboard'))
    await glasses.waitForDisplay('a')
    await showNotice()
    connection.send({ ...status, status: 'available' })
    await glasses.waitForDisplay('a')
    await showNotice()
    connection.send({ type: 'microphone_state_change', requiredData: [] })
    await glasses.waitForDisplay('a')
    await showNotice()
    connection.send(displayEvent('b'))
    await glasses.waitForDisplay('b')
    await showNotice()
    const lost = once(glasses, 'close')
    connection.socket.terminate()
    await lost
    assert.equal(glasses.display.text, 'b')
  })

  test('messages of each type are consumed in order', async (t) => {
    const cloud = await FakeCloud.start(t)
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

  test('keeps the last 1,000 messages', () => {
    const history = new MessageHistory()
    history.add({ type: 'tick', at: -1 })
    assert.equal(history.next('tick', () => true)?.at, -1)
    for (let at = 0; at < 1_500; at++) history.add({ type: 'tick', at })
    assert.equal(history.list().length, 1_000)
    assert.equal(history.next('tick', () => true)?.at, 500)
    assert.equal(history.next('tick', () => true)?.at, 501)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import type { SessionStreaming } from '../../session/index.ts'
import { VirtualClock } from '../../session/testing/virtual-clock.ts'
import { LiveStreams } from './live-streams.ts'
import { MemoryStreamingProvider } from './memory-provider.ts'
import { TroubledProvider } from './testing/troubled-provider.ts'

function world() {
  const clock = new VirtualClock()
  const provider = new TroubledProvider(new MemoryStreamingProvider(clock))
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const streams = new LiveStreams({ provider, clock, log })
  const ask = streams.forUser('u1')
  assert.ok(ask)
  return { clock, provider, lines, streams, ask }
}

/** A call with its outcome as a promise. */
function outcome<Value>(call: (done: (value: Value) => void) => void): Promise<Value> {
  return new Promise(call)
}

const created = (ask: SessionStreaming) => outcome<{ ok: boolean }>((done) => ask.createInput(done))
/** Lets promises that are settled be heard. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('live streams', () => {
  test('STR-75: a provider that does not answer in 15 seconds has failed; what it makes later is undone', async () => {
    const { clock, provider, ask } = world()
    provider.hold('createInput')
    const outcomeOfIt = created(ask)
    clock.advance(15_000)
    assert.equal((await outcomeOfIt).ok, false)
    provider.letGo('createInput')
    while (provider.calls.at(-1) !== 'deleteInput') await turn()
    await turn()
    assert.deepEqual(provider.inputIds, [])

    const input = await outcome<{ ok: true; value: { inputId: string } }>((done) =>
      ask.createInput(done as Parameters<typeof ask.createInput>[0]),
    )
    const { inputId } = input.value
    provider.hold('addOutput')
    const adding = outcome<{ ok: boolean }>((done) => ask.addOutput(inputId, 'rtmp://a/b/sesame', done))
    clock.advance(15_000)
    assert.equal((await adding).ok, false)
    provider.letGo('addOutput')
    while (provider.calls.at(-1) !== 'removeOutput') await turn()
  })

  test('STR-76: an input is deleted in three attempts; one that stays is in the log, without any key', async () => {
    const { clock, provider, lines, ask, streams } = world()
    provider.failing.add('deleteInput')
    ask.deleteInput('input1')
    await turn()
    for (const waitMs of [1_000, 10_000, 60_000]) {
      clock.advance(waitMs)
      await turn()
    }
    assert.equal(provider.calls.length, 3)
    assert.match(lines.at(-1) ?? '', /input1.*delete it by hand/)
    provider.failing.add('addOutput')
    await outcome((done) => ask.addOutput('input1', 'rtmp://a/b/sesame', done))
    assert.match(lines.at(-1) ?? '', /addOutput/)
    assert.doesNotMatch(lines.join(''), /sesame/)
    await streams.close()
  })

  test('STR-76: closing waits for what is under way, and tries at once what would be tried again', async () => {
    const { provider, ask, streams } = world()
    await created(ask)
    const [inputId = ''] = provider.inputIds
    provider.failing.add('deleteInput')
    ask.deleteInput(inputId)
    await turn()
    provider.failing.clear()
    await streams.close()
    assert.deepEqual(provider.inputIds, [])
  })

  test('OUT-7: a place of an app is given back once, however often that is said', () => {
    const { ask, streams } = world()
    const other = streams.forUser('u2')
    const places = Array.from({ length: 10 }, (_, n) => (n % 2 ? ask : other)?.reserveOutput('com.a'))
    assert.ok(places.every((place) => place !== undefined))
    assert.equal(ask.reserveOutput('com.a'), undefined)
    assert.ok(ask.reserveOutput('com.b'))
    places[0]?.()
    places[0]?.()
    assert.ok(ask.reserveOutput('com.a'))
    assert.equal(ask.reserveOutput('com.a'), undefined)
  })

  test('STR-77: a stream is found by its id while it lives', () => {
    const { ask, streams } = world()
    ask.streamOpened('s1')
    assert.equal(streams.ownerOf('s1'), 'u1')
    ask.streamClosed('s1')
    assert.equal(streams.ownerOf('s1'), undefined)
  })
})

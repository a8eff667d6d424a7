import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import type { OutputReservation, SessionStreaming } from '../../session/index.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { LiveStreams } from './live-streams.ts'
import { MemoryStreamingProvider } from './memory-provider.ts'
import { LocalOutputPlaces } from './output-places.ts'
import { TroubledProvider } from './testing/troubled-provider.ts'

function setUp() {
  const clock = new VirtualClock()
  const provider = new TroubledProvider(new MemoryStreamingProvider(clock))
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const streams = new LiveStreams({ provider, places: new LocalOutputPlaces(), clock, log })
  const streaming = streams.forUser('u1')
  assert.ok(streaming)
  return { clock, provider, lines, streams, streaming }
}

/** Returns the result of a call with a callback as a promise. */
function outcome<Value>(call: (done: (value: Value) => void) => void): Promise<Value> {
  return new Promise(call)
}

const createInput = (streaming: SessionStreaming) =>
  outcome<{ ok: boolean }>((done) => streaming.createInput(done))
/** Waits until the callbacks of settled promises have run. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('live streams', () => {
  test('STR-79: outputs of a provider that reports no changes are checked every 15 seconds', () => {
    const { clock, streaming } = setUp()
    let checks = 0
    const unwatch = streaming.watchOutputs('input', () => {
      checks += 1
    })
    clock.advance(46_000)
    assert.equal(checks, 3)
    unwatch()
    clock.advance(60_000)
    assert.equal(checks, 3)
  })

  test('STR-75: a call without a response within 15 seconds fails; what it creates later is deleted', async () => {
    const { clock, provider, streaming } = setUp()
    provider.pause('createInput')
    const creating = createInput(streaming)
    clock.advance(15_000)
    assert.equal((await creating).ok, false)
    provider.resume('createInput')
    while (provider.calls.at(-1) !== 'deleteInput') await nextTurn()
    await nextTurn()
    assert.deepEqual(provider.inputIds, [])

    const input = await outcome<{ ok: true; value: { inputId: string } }>((done) =>
      streaming.createInput(done as Parameters<typeof streaming.createInput>[0]),
    )
    const { inputId } = input.value
    provider.pause('addOutput')
    const adding = outcome<{ ok: boolean }>((done) => streaming.addOutput(inputId, 'rtmp://a/b/sesame', done))
    clock.advance(15_000)
    assert.equal((await adding).ok, false)
    provider.resume('addOutput')
    while (provider.calls.at(-1) !== 'removeOutput') await nextTurn()
  })

  test('STR-76: an input is deleted in three attempts; a remaining one is logged without stream keys', async () => {
    const { clock, provider, lines, streaming, streams } = setUp()
    provider.failing.add('deleteInput')
    streaming.deleteInput('input1')
    await nextTurn()
    for (const waitMs of [1_000, 10_000, 60_000]) {
      clock.advance(waitMs)
      await nextTurn()
    }
    assert.equal(provider.calls.length, 3)
    assert.match(lines.at(-1) ?? '', /input1.*delete it manually/)
    provider.failing.add('addOutput')
    await outcome((done) => streaming.addOutput('input1', 'rtmp://a/b/sesame', done))
    assert.match(lines.at(-1) ?? '', /addOutput/)
    assert.doesNotMatch(lines.join(''), /sesame/)
    await streams.close()
  })

  test('STR-76: close waits for pending calls and runs retries immediately', async () => {
    const { provider, streaming, streams } = setUp()
    await createInput(streaming)
    const [inputId = ''] = provider.inputIds
    provider.failing.add('deleteInput')
    streaming.deleteInput(inputId)
    await nextTurn()
    provider.failing.clear()
    await streams.close()
    assert.deepEqual(provider.inputIds, [])
  })

  test('OUT-7: an output slot of an app is released once, however often it is released', () => {
    const { streaming, streams } = setUp()
    const other = streams.forUser('u2')
    assert.ok(other)
    const reserve = (port: SessionStreaming, packageName: string, count = 1) => {
      let places: OutputReservation | undefined
      port.reserveOutputs(packageName, count, (reservation) => {
        places = reservation
      })
      return places?.ok ? places.releases : places?.code
    }
    const [place] = [reserve(streaming, 'com.a', 5), reserve(other, 'com.a', 4)].flat()
    assert.equal(reserve(streaming, 'com.a', 2), 'MAX_APP_OUTPUTS_REACHED')
    assert.equal(reserve(streaming, 'com.a')?.length, 1)
    assert.equal(reserve(streaming, 'com.a'), 'MAX_APP_OUTPUTS_REACHED')
    assert.equal(reserve(streaming, 'com.b')?.length, 1)
    assert.ok(typeof place === 'function')
    place()
    place()
    assert.equal(reserve(streaming, 'com.a')?.length, 1)
    assert.equal(reserve(streaming, 'com.a'), 'MAX_APP_OUTPUTS_REACHED')
  })

  test('STR-77: a live stream is found by its id', async () => {
    const { streaming, streams } = setUp()
    streaming.streamOpened('s1')
    assert.equal(await streams.userOf('s1'), 'u1')
    streaming.streamClosed('s1')
    assert.equal(await streams.userOf('s1'), undefined)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CloudToGlasses } from '@glasses-cloud/contract'
import { Microphone } from './microphone.ts'
import { VirtualClock } from './testing/virtual-clock.ts'
import { DEFAULT_TIMING } from './timing.ts'

/** A microphone control on a virtual clock; what it told the phone reads `<time> on|raw|off`. */
class Bench {
  readonly clock = new VirtualClock(0)
  readonly sent: CloudToGlasses[] = []
  readonly #told: string[] = []
  readonly microphone = new Microphone(
    {
      clock: this.clock,
      timing: DEFAULT_TIMING,
      sessionId: 's1',
      send: (message) => {
        this.sent.push(message)
        if (message.type !== 'microphone_state_change') throw new Error(`unexpected ${message.type}`)
        const state = message.isMicrophoneEnabled ? (message.bypassVad ? 'raw' : 'on') : 'off'
        this.#told.push(`${this.clock.now()} ${state}`)
      },
    },
    false,
  )

  pass(ms: number): string[] {
    this.clock.advance(ms)
    return this.#told.splice(0)
  }
}

describe('asking for sound', () => {
  test('MIC-1 MIC-2: the message says whether sound is wanted, and whether silence is too', () => {
    const { microphone, sent } = new Bench()
    microphone.want(true, false)
    assert.deepEqual(sent, [
      {
        type: 'microphone_state_change',
        sessionId: 's1',
        isMicrophoneEnabled: true,
        requiredData: ['pcm'],
        bypassVad: false,
        timestamp: '1970-01-01T00:00:00.000Z',
      },
    ])
    const raw = new Bench()
    raw.microphone.want(true, true)
    assert.equal(raw.sent[0]?.type === 'microphone_state_change' && raw.sent[0].bypassVad, true)
    const off = new Bench()
    off.microphone.resync()
    const [message] = off.sent
    assert.ok(message?.type === 'microphone_state_change')
    assert.deepEqual(
      [message.isMicrophoneEnabled, message.requiredData, message.bypassVad],
      [false, [], false],
    )
  })

  test('MIC-3: the first change is told at once, what follows within a second at its end', () => {
    const bench = new Bench()
    bench.microphone.want(true, false)
    bench.clock.advance(100)
    bench.microphone.want(true, true)
    bench.clock.advance(100)
    bench.microphone.want(true, false)
    bench.clock.advance(100)
    bench.microphone.want(true, true)
    assert.deepEqual(bench.pass(5_000), ['0 on', '1000 raw'])
  })

  test('MIC-3: changes that cancel out are not told', () => {
    const bench = new Bench()
    bench.microphone.want(true, false)
    bench.clock.advance(100)
    bench.microphone.want(true, true)
    bench.microphone.want(true, false)
    assert.deepEqual(bench.pass(9_000), ['0 on'])
  })

  test('MIC-4: off is told only when it stays unwanted for three seconds', () => {
    const bench = new Bench()
    bench.microphone.want(true, false)
    bench.clock.advance(5_000)
    bench.microphone.want(false, false)
    bench.clock.advance(2_900)
    bench.microphone.want(true, false)
    bench.microphone.want(false, false)
    assert.deepEqual(bench.pass(20_000), ['0 on', '10000 on', '10900 off'])
  })

  test('MIC-5: while on, it is repeated every ten seconds; while off, never', () => {
    const bench = new Bench()
    bench.microphone.want(true, false)
    assert.deepEqual(bench.pass(35_000), ['0 on', '10000 on', '20000 on', '30000 on'])
    bench.microphone.want(false, false)
    assert.deepEqual(bench.pass(60_000), ['38000 off'])
  })

  test('MIC-5: lists renewed all the time do not put the repetition off', () => {
    const bench = new Bench()
    for (let second = 0; second < 31; second += 1) {
      bench.microphone.want(true, false)
      bench.clock.advance(1_000)
    }
    assert.deepEqual(bench.pass(0), ['0 on', '10000 on', '20000 on', '30000 on'])
  })

  test('MIC-6: a phone that is back is told at once, and the repetition counts from there', () => {
    const bench = new Bench()
    bench.microphone.want(true, true)
    bench.clock.advance(7_000)
    bench.microphone.resync()
    assert.deepEqual(bench.pass(10_000), ['0 raw', '7000 raw', '17000 raw'])
  })

  test('MIC-7: unwanted sound is answered with off, once in five seconds', () => {
    const bench = new Bench()
    for (let n = 0; n < 110; n += 1) {
      bench.microphone.heard()
      bench.clock.advance(100)
    }
    assert.deepEqual(bench.pass(0), ['0 off', '5000 off', '10000 off'])
    bench.microphone.want(true, false)
    bench.microphone.heard()
    assert.deepEqual(bench.pass(0), ['11000 on'])
  })
})

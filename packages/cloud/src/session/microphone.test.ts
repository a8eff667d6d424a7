import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CloudToGlasses } from '@glasses-cloud/contract'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { type DataRequirements, Microphone, requiredData } from './microphone.ts'
import { DEFAULT_TIMING } from './timing.ts'

const nothing: DataRequirements = {
  needsAudio: false,
  needsSpeech: false,
  offersRecentAudio: false,
  recognition: 'phone',
  localOnly: false,
}

test('MIC-1: exactly the data that is needed is required, by the place of recognition', () => {
  const cases: [Partial<DataRequirements>, string[]][] = [
    [{}, []],
    [{ needsAudio: true }, ['pcm']],
    [{ needsSpeech: true }, ['transcription']],
    [{ needsAudio: true, needsSpeech: true }, ['pcm', 'transcription']],
    [{ needsAudio: true, recognition: 'cloud' }, ['pcm']],
    [{ needsSpeech: true, recognition: 'cloud' }, ['pcm']],
    [{ needsAudio: true, needsSpeech: true, recognition: 'cloud' }, ['pcm']],
    [{ recognition: 'cloud-unavailable' }, []],
    [{ needsAudio: true, recognition: 'cloud-unavailable' }, ['pcm']],
    [{ needsSpeech: true, recognition: 'cloud-unavailable' }, ['pcm', 'transcription']],
    [{ needsSpeech: true, recognition: 'cloud', localOnly: true }, ['transcription']],
    [{ needsSpeech: true, recognition: 'cloud-unavailable', localOnly: true }, ['transcription']],
    [{ needsAudio: true, recognition: 'cloud', localOnly: true }, ['pcm']],
  ]
  for (const [given, expected] of cases)
    assert.deepEqual(requiredData({ ...nothing, ...given }), expected, JSON.stringify(given))
})

test('MIC-11: AUDIO_PACKAGE, with and without local recognition', () => {
  const speech = { ...nothing, offersRecentAudio: true, needsSpeech: true }
  assert.deepEqual(requiredData(speech), ['pcm', 'transcription'])
  assert.deepEqual(requiredData({ ...speech, localOnly: true }), ['transcription'])
  assert.deepEqual(requiredData({ ...speech, needsSpeech: false }), [], 'not while no app needs speech')
})

const PCM = ['pcm'] as const

/** A microphone on a virtual clock. Records the messages to the phone as `<time> on|raw|off`. */
class MicrophoneRig {
  readonly clock = new VirtualClock(0)
  readonly sent: CloudToGlasses[] = []
  readonly #reports: string[] = []
  readonly microphone = new Microphone(
    {
      clock: this.clock,
      timing: DEFAULT_TIMING,
      sessionId: 's1',
      send: (message) => {
        this.sent.push(message)
        if (message.type !== 'microphone_state_change') throw new Error(`unexpected ${message.type}`)
        const state = message.isMicrophoneEnabled ? (message.bypassVad ? 'raw' : 'on') : 'off'
        this.#reports.push(`${this.clock.now()} ${state}`)
      },
    },
    false,
  )

  pass(ms: number): string[] {
    this.clock.advance(ms)
    return this.#reports.splice(0)
  }
}

describe('microphone state', () => {
  test('MIC-1 MIC-2: the message contains the microphone state and whether silence is required', () => {
    const { microphone, sent } = new MicrophoneRig()
    microphone.require(PCM, false)
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
    const transcribing = new MicrophoneRig()
    transcribing.microphone.require(['pcm', 'transcription'], false)
    const [both] = transcribing.sent
    assert.deepEqual(both?.type === 'microphone_state_change' && both.requiredData, ['pcm', 'transcription'])
    const raw = new MicrophoneRig()
    raw.microphone.require(PCM, true)
    assert.equal(raw.sent[0]?.type === 'microphone_state_change' && raw.sent[0].bypassVad, true)
    const off = new MicrophoneRig()
    off.microphone.resync()
    const [message] = off.sent
    assert.ok(message?.type === 'microphone_state_change')
    assert.deepEqual(
      [message.isMicrophoneEnabled, message.requiredData, message.bypassVad],
      [false, [], false],
    )
  })

  test('MIC-3: changes within a second', () => {
    const rig = new MicrophoneRig()
    rig.microphone.require(PCM, false)
    rig.clock.advance(100)
    rig.microphone.require(PCM, true)
    rig.clock.advance(100)
    rig.microphone.require(PCM, false)
    rig.clock.advance(100)
    rig.microphone.require(PCM, true)
    assert.deepEqual(rig.pass(5_000), ['0 on', '1000 raw'])
  })

  test('MIC-3: changes that cancel out are not sent', () => {
    const rig = new MicrophoneRig()
    rig.microphone.require(PCM, false)
    rig.clock.advance(100)
    rig.microphone.require(PCM, true)
    rig.microphone.require(PCM, false)
    assert.deepEqual(rig.pass(9_000), ['0 on'])
  })

  test('MIC-4: off is sent only after three seconds without a subscriber', () => {
    const rig = new MicrophoneRig()
    rig.microphone.require(PCM, false)
    rig.clock.advance(5_000)
    rig.microphone.require([], false)
    rig.clock.advance(2_900)
    rig.microphone.require(PCM, false)
    rig.microphone.require([], false)
    assert.deepEqual(rig.pass(20_000), ['0 on', '10000 on', '10900 off'])
  })

  test('MIC-5: the state is repeated every ten seconds while on, and never while off', () => {
    const rig = new MicrophoneRig()
    rig.microphone.require(PCM, false)
    assert.deepEqual(rig.pass(35_000), ['0 on', '10000 on', '20000 on', '30000 on'])
    rig.microphone.require([], false)
    assert.deepEqual(rig.pass(60_000), ['38000 off'])
  })

  test('MIC-5: frequent subscription updates do not delay the repetition', () => {
    const rig = new MicrophoneRig()
    for (let second = 0; second < 31; second += 1) {
      rig.microphone.require(PCM, false)
      rig.clock.advance(1_000)
    }
    assert.deepEqual(rig.pass(0), ['0 on', '10000 on', '20000 on', '30000 on'])
  })

  test('MIC-6: a reconnected phone receives the state immediately, which restarts the repetition', () => {
    const rig = new MicrophoneRig()
    rig.microphone.require(PCM, true)
    rig.clock.advance(7_000)
    rig.microphone.resync()
    assert.deepEqual(rig.pass(10_000), ['0 raw', '7000 raw', '17000 raw'])
  })

  test('MIC-7: audio without a subscriber is answered with off, at most every five seconds', () => {
    const rig = new MicrophoneRig()
    for (let n = 0; n < 110; n += 1) {
      rig.microphone.onAudioReceived()
      rig.clock.advance(100)
    }
    assert.deepEqual(rig.pass(0), ['0 off', '5000 off', '10000 off'])
    rig.microphone.require(PCM, false)
    rig.microphone.onAudioReceived()
    assert.deepEqual(rig.pass(0), ['11000 on'])
  })

  test('MIC-4: data that is not needed is dropped after three seconds, other data is requested sooner', () => {
    const rig = new MicrophoneRig()
    const last = () => {
      const message = rig.sent.at(-1)
      return message?.type === 'microphone_state_change' && message.requiredData
    }
    rig.microphone.require(['pcm', 'transcription'], false)
    rig.clock.advance(5_000)
    rig.microphone.require(['transcription'], false)
    rig.clock.advance(2_999)
    assert.deepEqual(last(), ['pcm', 'transcription'])
    rig.clock.advance(1)
    assert.deepEqual(last(), ['transcription'])
    rig.clock.advance(1_000)
    rig.microphone.require(['pcm'], false)
    assert.deepEqual(last(), ['pcm'])
  })

  test('MIC-7: audio received while only transcriptions are required is answered with the state', () => {
    const rig = new MicrophoneRig()
    rig.microphone.require(['transcription'], false)
    rig.microphone.onAudioReceived()
    rig.microphone.onAudioReceived()
    assert.deepEqual(rig.pass(0), ['0 on', '0 on'])
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FrameLog, type LoggedFrame } from './frame-log.ts'
import { readRecording, sentFrames, toJsonLines } from './recording.ts'
import { Replay, type ReplayState } from './replay.ts'

const FRAMES = [
  { at: 1_000, text: 'one' },
  { at: 1_500, text: 'two' },
  { at: 4_500, text: 'three' },
]

function createReplay(send: (text: string) => void = () => {}) {
  const states: ReplayState[] = []
  const replay = new Replay(send, (state) => states.push(state))
  replay.load(FRAMES)
  return { replay, states }
}

test('a replay keeps the pauses of the recording and stops at its end', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: string[] = []
  const { replay } = createReplay((text) => sent.push(text))
  replay.start()
  assert.deepEqual(sent, ['one'])
  t.mock.timers.tick(499)
  assert.deepEqual(sent, ['one'])
  t.mock.timers.tick(1)
  t.mock.timers.tick(3_000)
  assert.deepEqual(sent, ['one', 'two', 'three'])
  assert.deepEqual(replay.state, { frames: FRAMES, position: 3, isRunning: false, problem: undefined })
  replay.start()
  assert.deepEqual(sent, ['one', 'two', 'three', 'one'], 'it starts again after its end')
})

test('a replay goes on by steps after it was stopped', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: string[] = []
  const { replay, states } = createReplay((text) => sent.push(text))
  replay.start()
  replay.stop()
  t.mock.timers.tick(60_000)
  assert.deepEqual(sent, ['one'])
  replay.step()
  replay.step()
  replay.step()
  assert.deepEqual(sent, ['one', 'two', 'three'])
  assert.equal(states.at(-1)?.position, 3)
})

test('a replay stops with the reason when a frame cannot be sent', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let isConnected = true
  const { replay } = createReplay(() => {
    if (!isConnected) throw new Error('The glasses are not connected')
  })
  replay.start()
  isConnected = false
  t.mock.timers.tick(500)
  assert.deepEqual(replay.state, {
    frames: FRAMES,
    position: 1,
    isRunning: false,
    problem: 'The glasses are not connected',
  })
})

function logOf(...messages: ['sent' | 'received', object | string | number][]): readonly LoggedFrame[] {
  const log = new FrameLog()
  for (const [index, [direction, content]] of messages.entries())
    log.add({ direction, content: typeof content === 'object' ? JSON.stringify(content) : content }, index)
  return log.frames
}

test('frames are valid, invalid with the reason, or of an unknown type; sound is one entry', () => {
  const frames = logOf(
    ['sent', { type: 'button_press', buttonId: 'main', pressType: 'short' }],
    ['sent', { type: 'button_press', buttonId: 1 }],
    ['received', { type: 'button_press', buttonId: 'main', pressType: 'short' }],
    ['sent', 'no JSON'],
    ['sent', 320],
    ['sent', 320],
  )
  assert.deepEqual(
    frames.map(({ type, content }) => [type, content?.check.result]),
    [
      ['button_press', 'valid'],
      ['button_press', 'invalid'],
      ['button_press', 'unknown'],
      ['invalid', 'invalid'],
      ['audio', undefined],
    ],
  )
  assert.deepEqual([frames.at(-1)?.count, frames.at(-1)?.bytes], [2, 640])
})

test('exported frames are read as the messages that the glasses sent', () => {
  const frames = logOf(
    ['sent', { type: 'button_press', buttonId: 'main', pressType: 'short' }],
    ['received', { type: 'settings_update' }],
    ['sent', 'no JSON'],
    ['sent', 320],
  )
  const recorded = readRecording(toJsonLines(frames))
  assert.deepEqual(recorded, sentFrames(frames))
  assert.deepEqual(
    recorded.map(({ text }) => text),
    ['{"type":"button_press","buttonId":"main","pressType":"short"}', 'no JSON'],
  )
  assert.throws(() => readRecording(`${toJsonLines(frames)}\n{"at":"never"}`), {
    message: 'Line 5 is not a recorded frame',
  })
})

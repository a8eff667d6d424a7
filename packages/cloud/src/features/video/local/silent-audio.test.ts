import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MediaTag } from './media-tag.ts'
import { SilentAudio } from './silent-audio.ts'

const STEREO_48_KHZ = Buffer.from('af001190', 'hex')
const FRAME_MS = 1024 / 48
const FRAME = Buffer.from('af0121', 'hex')

function createRig() {
  const written: MediaTag[] = []
  const silent = new SilentAudio({ write: (tag) => void written.push(tag) })
  return {
    write: (kind: MediaTag['kind'], timestamp: number, data = FRAME) =>
      silent.write({ kind, timestamp, data }),
    /** The audio since the last call: what it is, and when. */
    audio() {
      const tags = written.splice(0).filter(({ kind }) => kind.startsWith('audio'))
      return tags.map(({ kind, timestamp, data }) => ({
        what: kind === 'audio-header' ? 'header' : data === FRAME ? 'sound' : 'silence',
        timestamp,
      }))
    },
  }
}

/** Whether audio is without gaps and never goes back. */
function isContinuous(audio: readonly { readonly timestamp: number }[]): boolean {
  return audio.every(({ timestamp }, index) => {
    const stepMs = timestamp - (audio[index - 1]?.timestamp ?? timestamp)
    return stepMs >= 0 && stepMs < 2 * FRAME_MS
  })
}

test('STR-133: a feed without audio has silence up to its video', () => {
  const rig = createRig()
  rig.write('video-header', 0)
  for (let time = 5_000; time <= 7_000; time += 40) rig.write('video', time)
  const [header, ...audio] = rig.audio()
  assert.equal(header?.what, 'header')
  assert.ok(audio.every(({ what }) => what === 'silence') && isContinuous(audio))
  assert.deepEqual([audio[0]?.timestamp, Math.ceil((audio.at(-1)?.timestamp ?? 0) / 100)], [5_000, 70])
  rig.write('audio-header', 7_000, STEREO_48_KHZ)
  rig.write('audio', 7_000)
  assert.deepEqual(rig.audio(), [], 'audio that begins later is another encoding')
})

test('STR-133: silence takes the place of audio that stops, until it returns', () => {
  const rig = createRig()
  rig.write('audio-header', 0, STEREO_48_KHZ)
  for (let time = 0; time <= 1_000; time += FRAME_MS) rig.write('audio', time)
  for (let time = 0; time <= 2_900; time += 100) rig.write('video', time)
  assert.ok(
    rig.audio().every(({ what }) => what !== 'silence'),
    'audio may come later than its video',
  )
  for (let time = 3_000; time <= 5_000; time += 100) rig.write('video', time)
  for (let time = 4_900; time <= 6_000; time += FRAME_MS) rig.write('audio', time)
  rig.write('video', 6_000)
  const audio = rig.audio()
  assert.deepEqual(new Set(audio.map(({ what }) => what)), new Set(['silence', 'sound']))
  assert.ok(isContinuous(audio), JSON.stringify(audio))
  assert.ok((audio[0]?.timestamp ?? 0) < 1_050 && (audio.at(-1)?.timestamp ?? 0) > 5_950)
})

test('STR-133: a pause of any length is filled for a minute at most, and other audio is left alone', () => {
  const rig = createRig()
  rig.write('audio-header', 0, STEREO_48_KHZ)
  rig.write('audio', 0)
  rig.write('video', 3_600_000)
  assert.ok(rig.audio().length < 2 + 60_000 / FRAME_MS + 1)
  const other = createRig()
  other.write('audio-header', 0, Buffer.from('2f00', 'hex'))
  other.write('video', 0)
  other.write('video', 60_000)
  assert.deepEqual(
    other.audio().map(({ what }) => what),
    ['header'],
  )
})

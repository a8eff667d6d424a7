import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../../../time/testing/virtual-clock.ts'
import { Feed, type Tracks } from './feed.ts'
import type { MediaTag } from './media-tag.ts'

const tag = (kind: MediaTag['kind'], data = kind as string): MediaTag => ({
  kind,
  timestamp: 0,
  data: Buffer.from(data),
})

test('STR-106: a feed without audio that returns with the same encoding continues for its readers', () => {
  const clock = new VirtualClock()
  const changes: Tracks[] = []
  const feed = new Feed(clock, { onTracks: (tracks) => changes.push(tracks) })
  for (const _ of [1, 2]) {
    feed.publisherConnected()
    feed.push(tag('video-header'))
    feed.push(tag('keyframe'))
    clock.advance(1_000)
  }
  assert.deepEqual(changes, [{ audio: false, video: true }])
  feed.push(tag('audio-header'))
  assert.deepEqual(changes.at(-1), { audio: true, video: true }, 'audio that begins later is a change')
  feed.push(tag('video-header', 'another encoding'))
  feed.push(tag('keyframe'))
  assert.equal(changes.length, 3)
})

test('STR-134: readers get nothing of another encoding, and its new readers nothing of the one before', () => {
  const clock = new VirtualClock()
  let readers: string[][] = []
  const feed = new Feed(clock, {
    onTracks: () => {
      const received: string[] = []
      readers.push(received)
      feed.add({ write: ({ data }) => void received.push(String(data)) })
    },
  })
  feed.publisherConnected()
  for (const name of ['first', 'first', 'second']) {
    feed.push(tag('audio-header', 'audio'))
    feed.push(tag('video-header', `${name} header`))
    for (const kind of ['video', 'keyframe', 'video'] as const) feed.push(tag(kind, `${name} ${kind}`))
  }
  readers = readers.map((received) => [...new Set(received)])
  assert.deepEqual(readers, [
    ['first header', 'audio', 'first keyframe', 'first video'],
    ['second header', 'audio', 'second keyframe', 'second video'],
  ])
})

test('STR-106: the timeline goes on where the clock of the publisher is set', () => {
  const clock = new VirtualClock()
  const feed = new Feed(clock, { onTracks: () => {} })
  const written: number[] = []
  feed.add({ write: ({ kind, timestamp }) => void (kind === 'keyframe' && written.push(timestamp)) })
  feed.publisherConnected()
  const push = (kind: MediaTag['kind'], timestamp: number) => {
    clock.advance(40)
    feed.push({ ...tag(kind), timestamp })
  }
  // Headers come before the clock of the frames is known, and again in between.
  for (const times of [
    [1_700_000_000, 1_700_000_040],
    [0, 40],
    [20, 60],
    [2_000_000, 2_000_040],
    [2_009_000],
  ]) {
    push('video-header', 0)
    for (const time of times) push('keyframe', time)
  }
  assert.deepEqual(
    written.map((time, index) => time - (written[index - 1] ?? time)),
    [0, 40, 80, 40, -20, 40, 80, 40, 8_960],
  )
})

for (const skewMs of [-1_500, 1_500, 3_600_000])
  test(`STR-106: audio and video ${skewMs} ms apart keep their pace and, of one clock, their distance`, () => {
    const clock = new VirtualClock()
    const feed = new Feed(clock, { onTracks: () => {} })
    const written: Record<string, number[]> = { audio: [], keyframe: [] }
    feed.add({ write: ({ kind, timestamp }) => void written[kind]?.push(timestamp) })
    feed.publisherConnected()
    // The clock is set back by an hour, of the video first.
    for (let time = 10_000_000; time < 10_004_000; time += 40) {
      clock.advance(40)
      const isSet = time >= 10_002_000
      feed.push({ ...tag('keyframe'), timestamp: time - (isSet ? 3_600_000 : 0) })
      feed.push({
        ...tag('audio'),
        timestamp: time + skewMs - (isSet && time !== 10_002_000 ? 3_600_000 : 0),
      })
    }
    const { audio = [], keyframe = [] } = written
    const steps = (times: number[]) =>
      new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0)))
    assert.deepEqual(steps(keyframe), new Set([40]))
    assert.ok(
      [...steps(audio)].every((step) => step >= 0 && step <= 82),
      [...steps(audio)].join(),
    )
    // The timeline begins at 0, which audio that is behind reaches later.
    const distances = audio.map((time, index) => time - (keyframe[index] ?? 0)).slice(40)
    assert.ok(
      distances.every((distance) => Math.abs(distance - (Math.abs(skewMs) > 10_000 ? 0 : skewMs)) <= 80),
      distances.join(),
    )
  })

/** Pushes keyframes of some bytes until the feed is invalid. @returns how many it accepted */
function pushKeyframes(
  feed: Feed,
  clock: VirtualClock,
  { bytes, wallMs, mediaMs, count }: { bytes: number; wallMs: number; mediaMs: number; count: number },
): number {
  const data = Buffer.alloc(bytes)
  for (let index = 0; index < count; index += 1) {
    feed.push({ kind: 'keyframe', timestamp: index * mediaMs, data })
    if (feed.isInvalid) return index
    clock.advance(wallMs)
  }
  return count
}

function openFeed() {
  const clock = new VirtualClock()
  let starts = 0
  const feed = new Feed(clock, { onTracks: () => (starts += 1) })
  feed.publisherConnected()
  feed.push(tag('audio-header'))
  feed.push(tag('video-header'))
  return { clock, feed, starts: () => starts }
}

test('STR-128: a feed whose timestamps do not advance is invalid after 512 MiB or 30 seconds', () => {
  const fast = openFeed()
  const stalled = { bytes: 1024 * 1024, mediaMs: 0, count: 1_000 }
  assert.equal(pushKeyframes(fast.feed, fast.clock, { ...stalled, wallMs: 1 }), 511)
  fast.feed.publisherConnected()
  assert.equal(pushKeyframes(fast.feed, fast.clock, { ...stalled, wallMs: 1 }), 0, 'also when it returns')
  const slow = openFeed()
  assert.equal(pushKeyframes(slow.feed, slow.clock, { ...stalled, bytes: 10, wallMs: 1_000 }), 31)
  const crawling = openFeed()
  assert.equal(
    pushKeyframes(crawling.feed, crawling.clock, { bytes: 10, wallMs: 1_000, mediaMs: 10, count: 1_000 }),
    31,
  )
  const audio = openFeed()
  audio.feed.push(tag('keyframe'))
  let accepted = 0
  for (; accepted < 1_000 && !audio.feed.isInvalid; accepted += 1)
    audio.feed.push({ kind: 'audio', timestamp: 0, data: Buffer.alloc(1024 * 1024) })
  assert.ok(accepted < 512)
})

test('STR-128: a feed of 40 Mbit/s with a keyframe every ten seconds is valid', () => {
  const { clock, feed } = openFeed()
  const second = Buffer.alloc(2.5 * 1024 * 1024)
  for (let index = 0; index < 600; index += 1) {
    feed.push({
      kind: index % 20 === 0 ? 'keyframe' : 'video',
      timestamp: index * 500,
      data: second.subarray(0, 1_500_000),
    })
    assert.equal(feed.isInvalid, false)
    clock.advance(500)
  }
})

test('STR-129: a feed whose encoding changes more than five times a minute is invalid, and restarts nothing more', () => {
  const { clock, feed, starts } = openFeed()
  const change = (index: number) => {
    // One change of the encoding, with two headers.
    feed.push(tag('audio-header', `encoding ${index}`))
    feed.push(tag('video-header', `encoding ${index}`))
    feed.push(tag('keyframe'))
  }
  for (let index = 0; index < 20; index += 1) change(index)
  assert.deepEqual([feed.isInvalid, starts()], [true, 6])
  feed.publisherConnected()
  change(21)
  assert.deepEqual([feed.isInvalid, starts()], [true, 6], 'a new connection has no new budget')
  clock.advance(60_001)
  feed.publisherConnected()
  change(22)
  assert.deepEqual([feed.isInvalid, starts()], [false, 7])
})

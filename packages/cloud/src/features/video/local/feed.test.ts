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
    feed.push(tag('video-header', `encoding ${index}`))
    feed.push(tag('keyframe'))
  }
  for (let index = 0; index < 20; index += 1) change(index)
  assert.deepEqual([feed.isInvalid, starts()], [true, 5])
  feed.publisherConnected()
  change(21)
  assert.deepEqual([feed.isInvalid, starts()], [true, 5], 'a new connection has no new budget')
  clock.advance(60_001)
  feed.publisherConnected()
  change(22)
  assert.deepEqual([feed.isInvalid, starts()], [false, 6])
})

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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { continuePlaylist } from './live-playlist.ts'

const WINDOW = 4

/** The playlist that ffmpeg writes for the segments from `first` to `last` of a run. */
function written(run: number, first: number, last: number): string {
  const segments = Array.from(
    { length: last - first + 1 },
    (_, index) =>
      `#EXTINF:1.000000,\n#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000+0000\n${run}-0-${first + index}.m4s\n`,
  )
  const header = '#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:1\n'
  return `${header}#EXT-X-MEDIA-SEQUENCE:${first}\n#EXT-X-MAP:URI="${run}-init-0.m4s"\n${segments.join('')}`
}

/** The number and the discontinuity sequence of each segment, as a player counts them. */
function numbered(playlist: string): Record<string, string> {
  const numberOf = (tag: string) => Number(new RegExp(`#EXT-X-${tag}:(\\d+)`).exec(playlist)?.[1] ?? 0)
  let [number, discontinuity, map] = [numberOf('MEDIA-SEQUENCE'), numberOf('DISCONTINUITY-SEQUENCE'), '']
  const found: Record<string, string> = {}
  for (const line of playlist.split('\n')) {
    if (line === '#EXT-X-DISCONTINUITY') discontinuity += 1
    map = /MAP:URI="(.*)"/.exec(line)?.[1] ?? map
    if (!line.endsWith('.m4s')) continue
    assert.equal(map.split('-')[0], line.split('-')[0], 'each segment has the initialization of its encoding')
    found[line] = `${number} ${discontinuity}`
    number += 1
  }
  return found
}

test('STR-132: a playlist of one encoding is as ffmpeg writes it, without an end', () => {
  assert.equal(continuePlaylist(undefined, `${written(1, 3, 6)}#EXT-X-ENDLIST\n`, WINDOW), written(1, 3, 6))
})

test('STR-132: the numbers of segments and discontinuities never change while encodings follow each other', () => {
  const known: Record<string, string> = {}
  let earlier: string | undefined
  let total = 0
  for (const [run, length] of [3, 1, 1, 1, 6, 2, 9].entries()) {
    let latest = ''
    for (let last = 1; last <= length; last += 1) {
      latest = continuePlaylist(earlier, written(run, Math.max(1, last - WINDOW + 1), last), WINDOW)
      total += 1
      const found = numbered(latest)
      assert.equal(Object.keys(found).length, Math.min(total, WINDOW))
      assert.equal(found[`${run}-0-${last}.m4s`], `${total} ${run}`)
      for (const [uri, numbers] of Object.entries(found)) {
        known[uri] ??= numbers
        assert.equal(numbers, known[uri], uri)
      }
      assert.doesNotMatch(latest, /ENDLIST/)
    }
    earlier = latest
    // Until the next encoding has a segment, what ffmpeg wrote for this one may still be there.
    assert.equal(continuePlaylist(earlier, `${written(run, 1, length)}#EXT-X-ENDLIST\n`, WINDOW), earlier)
  }
})

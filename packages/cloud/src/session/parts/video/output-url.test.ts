import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { maskStreamKeys, parseOutputUrl } from './output-url.ts'

describe('URLs of outputs', () => {
  test('OUT-2: a URL is rtmp or rtmps with a host', () => {
    for (const url of [
      'rtmp://a/b/c',
      'rtmps://a.b:443/c',
      'RTMP://A/b',
      'rtmp://[::1]:1935/a/b',
      'rtmp://a',
    ])
      assert.ok(parseOutputUrl(url), url)
    for (const url of [
      '',
      'rtmp:',
      'rtmp:/a/b',
      'rtmp:a/b',
      'rtmp://',
      'rtmp:///a/b',
      'rtmp://:1935/a',
      'rtmp://a b/c',
      ' rtmp://a/b',
      'rtmp://a/b\nc',
      'rtmp://a\\b/c',
      'http://a/b',
      'xrtmp://a/b',
      'rtmp://a:99999/b',
      'https://a/b',
      'srt://a:1/b',
      `rtmp://a/${'b'.repeat(2_048)}`,
    ])
      assert.equal(parseOutputUrl(url), undefined, url)
  })

  test('OUT-8: URLs are compared after normalization', () => {
    const same = (one: string, other: string) =>
      parseOutputUrl(one)?.canonical === parseOutputUrl(other)?.canonical
    for (const [one, other] of [
      ['rtmp://Live.Example.com/app/key', 'RTMP://live.example.com/app/key'],
      ['rtmp://live.example.com:1935/app/key', 'rtmp://live.example.com/app/key'],
      ['rtmps://live.example.com:443/app/key', 'rtmps://live.example.com/app/key'],
      ['rtmp://live.example.com/app/key/', 'rtmp://live.example.com/app/key'],
      ['rtmp://live.example.com/app/./x/../key', 'rtmp://live.example.com/app/key'],
      ['rtmp://münchen.example/a/b', 'rtmp://xn--mnchen-3ya.example/a/b'],
    ] as const)
      assert.ok(same(one, other), `${one} and ${other}`)
    for (const other of [
      'rtmps://live.example.com/app/key',
      'rtmp://live.example.com:443/app/key',
      'rtmp://live.example.com:80/app/key',
      'rtmp://live.example.com/app/KEY',
      'rtmp://live.example.com/app/key?a=1',
      'rtmp://me@live.example.com/app/key',
      'rtmp://live.example.com/app',
    ])
      assert.ok(!same('rtmp://live.example.com/app/key', other), other)
    assert.ok(!same('rtmp://live.example.com:80/app/key', 'rtmp://live.example.com/app/key'))
  })

  test('OUT-11: everything that may be a stream key is masked', () => {
    for (const [url, shown] of [
      ['rtmp://live.example.com/app/key-1', 'rtmp://live.example.com/app/****'],
      ['rtmp://live.example.com/app/a/key-1/x', 'rtmp://live.example.com/app/****'],
      ['rtmp://live.example.com/key-1', 'rtmp://live.example.com/****'],
      ['rtmp://live.example.com', 'rtmp://live.example.com'],
      ['rtmps://a.example:444/app/k?key-1=b', 'rtmps://a.example:444/app/****?****'],
      ['rtmp://me:key-1@a.example/app/k#key-1', 'rtmp://****@a.example/app/****'],
    ])
      assert.equal(parseOutputUrl(String(url))?.masked, shown)
    assert.equal(
      maskStreamKeys('cannot reach "rtmp://a.example/app/key-1": RTMPS://b.example/app/key-2 failed'),
      'cannot reach "rtmp://a.example/app/****": rtmps://b.example/app/**** failed',
    )
    assert.equal(
      maskStreamKeys('srt://a.example:1?streamid=key-1, https://b.example/whip/key-2, srt://a.example/key-3'),
      'srt://a.example:1?**** https://b.example/whip/**** ****',
    )
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_OWN_ADDRESS_LENGTH, ownAddress } from './own-address.ts'

const origin = 'http://cloud.example:8080'

test('CON-140: addresses of the own origin', () => {
  const own: Readonly<Record<string, string>> = {
    '/': '/',
    '/store': '/store',
    '/store?q=%2F%2Fevil.example&page=2': '/store?q=%2F%2Fevil.example&page=2',
    '/join#token=abc': '/join#token=abc',
    '/account/../store': '/store',
    'http://cloud.example:8080/gallery?photo=1#top': '/gallery?photo=1#top',
    'HTTP://CLOUD.example:8080/gallery': '/gallery',
    '/%2F%2Fevil.example': '/%2F%2Fevil.example',
    '/%5Cevil.example': '/%5Cevil.example',
    '/@evil.example': '/@evil.example',
    '': '/',
  }
  for (const [value, expected] of Object.entries(own))
    assert.equal(ownAddress(value, origin), expected, value)
  // A port of the scheme is not part of an origin.
  assert.equal(ownAddress('https://cloud.example:443/store', 'https://cloud.example'), '/store')
})

test('CON-140: whatever leads elsewhere, and what is no address', () => {
  const long = `/${'a'.repeat(MAX_OWN_ADDRESS_LENGTH)}`
  const forms: unknown[] = [
    'http://evil.example/',
    'https://cloud.example:8080/',
    'http://cloud.example/',
    'http://cloud.example:8080.evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    'http:\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\r\n//evil.example',
    'java\tscript:alert(1)',
    ' //evil.example',
    '\u0000//evil.example',
    '\u0085//evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/store/..//evil.example',
    'http://cloud.example:8080//evil.example',
    'http://cloud.example:8080@evil.example/',
    'http://ada:secret@cloud.example:8080/store',
    'http://ada@cloud.example:8080/store',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:http://cloud.example:8080/1',
    'ftp://cloud.example:8080/',
    'evil',
    'evil.example/store',
    '?q=maps',
    '#top',
    'mailto:eve@evil.example',
    'http://[',
    '／／evil.example'.normalize('NFKC'),
    long,
    ['/store'],
    ['//evil.example', '/store'],
    { href: '/store' },
    undefined,
    null,
    7,
  ]
  for (const value of forms) assert.equal(ownAddress(value, origin), '/', String(value))
})

test('CON-140: the result is an address of the origin wherever it is resolved', () => {
  for (const value of ['http:evil.example', 'http:/evil.example', '/;//evil.example', './/evil.example'])
    assert.equal(new URL(ownAddress(value, origin), origin).origin, origin, value)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from '../http/request-origin.ts'
import { displayNameOf } from './email.ts'
import { toAddress } from './login-store.ts'

test('AUTH-67: an address is stored as IPv4 where it is one, and any other text is not', () => {
  assert.equal(toAddress('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(toAddress('2001:db8::1'), '2001:db8::1')
  assert.equal(toAddress('anything'), undefined)
})

test('HTTP-58: a client that has disconnected has no address', () => {
  assert.equal(toAddress(undefined), undefined)
  assert.equal(networkOf(undefined), 'disconnected')
})

const shown = (displayName: string | undefined, name: string) =>
  displayNameOf({
    email: 'ada.l@example.com',
    name,
    profile: displayName === undefined ? {} : { displayName },
  })

test('CAT-64: a developer is shown with the display name, otherwise with the name', () => {
  assert.equal(shown('Countess', 'Ada Lovelace'), 'Countess')
  assert.equal(shown(undefined, 'Ada Lovelace'), 'Ada Lovelace')
  assert.equal(shown('  ', 'Ada Lovelace'), 'Ada Lovelace')
  assert.equal(shown('Ada\n\t of \0 London ', ''), 'Ada of London')
  assert.equal(shown('@ada', ''), '@ada')
  assert.equal(shown('x'.repeat(1_000), '')?.length, 200)
  assert.equal(shown('', ''), undefined)
})

test('CAT-64: names with an e-mail address or its local part', () => {
  const revealing = [
    'ada.l@example.com',
    ' ADA.L@Example.com ',
    'ada.l@example',
    'Ada <ada.l@example.com>',
    'other@example.org',
    'ada.l＠example.com',
    'ada.l',
    'Ada.L',
    'ａｄａ.l',
  ]
  for (const name of revealing) {
    assert.equal(shown(name, 'Ada Lovelace'), 'Ada Lovelace', name)
    assert.equal(shown(name, name), undefined, name)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from '../http/client-address.ts'
import { toAddress } from './client-address.ts'

test('AUTH-67: an address is stored as IPv4 where it is one, and any other text is not', () => {
  assert.equal(toAddress('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(toAddress('2001:db8::1'), '2001:db8::1')
  assert.equal(toAddress('anything'), undefined)
})

test('HTTP-58: a client that has disconnected has no address', () => {
  assert.equal(toAddress(undefined), undefined)
  assert.equal(networkOf(undefined), 'disconnected')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressKind, cloudAddress } from './cloud-address.ts'

test('CON-271: which addresses are encrypted, and which lead to the computer itself', () => {
  const cases = [
    ['https://cloud.example.org', 'https'],
    ['http://192.168.1.5:8080', 'plain'],
    ['http://cloud.local', 'plain'],
    ['http://localhost:8080', 'loopback'],
    ['https://cloud.localhost', 'loopback'],
    ['http://127.0.0.1:8080', 'loopback'],
    ['http://[::1]:8080', 'loopback'],
    ['https://localhost.example.org', 'https'],
    ['https://127.0.0.1.example.org', 'https'],
  ] as const
  for (const [address, kind] of cases) assert.equal(addressKind(address), kind, address)
})

test('CON-271: the public address is shown to phones, unless it leads to the computer itself', () => {
  const page = 'http://192.168.1.5:8080'
  assert.equal(cloudAddress('https://cloud.example.org/', page), 'https://cloud.example.org')
  assert.equal(cloudAddress('http://localhost:8080/', page), page)
})

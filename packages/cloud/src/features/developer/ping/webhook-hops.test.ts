import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUnknownType } from './webhook-hops.ts'

test('DAPI-53: the reason of a declined test call is at the beginning of its message', () => {
  assert.equal(isUnknownType({ status: 'error', message: 'Unknown webhook request type' }), true)
  assert.equal(isUnknownType({ error: 'unknown type' }), true)
  assert.equal(isUnknownType({ message: 'invalid signature' }), false)
  // Searched to its end, this message would cost seconds.
  assert.equal(isUnknownType({ message: `${'unknown '.repeat(32_768)} type` }), false)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicUrlOf } from '../../src/http/listening.ts'
import { systemClock } from '../../src/time/index.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { ipv6Missing } from '../support/ipv6.ts'
import { silentPort } from '../support/silent-port.ts'
import { startCloud } from '../support/test-cloud.ts'
import { withTimeout } from '../support/timeout.ts'

test('CFG-7: the start does not wait for an address of localhost that does not answer', {
  skip: ipv6Missing,
}, async (t) => {
  const port = await silentPort(t, '::1')
  const found = publicUrlOf('127.0.0.1', port, systemClock)
  const url = await withTimeout(20_000, found, 'the public URL was not found')
  assert.equal(url, `http://localhost:${port}`)
})

test('CFG-7: requests are answered while the address is determined', { skip: ipv6Missing }, async (t) => {
  const port = await silentPort(t, '::1')
  // The attempt at the other address gets no answer, and ends when this clock advances.
  const clock = new VirtualClock()
  const starting = startCloud(t, { env: { PORT: String(port) }, overrides: { clock } })
  let isStarted = false
  void starting.then(() => {
    isStarted = true
  })
  let response: Response | undefined
  while (response === undefined)
    response = await fetch(`http://127.0.0.1:${port}/openapi.json`).catch(() => undefined)
  assert.deepEqual([response.status, isStarted], [200, false])
  clock.advance(500)
  assert.equal((await starting).cloud.publicUrl().port, String(port))
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { networkOf } from '../../../http/request-origin.ts'
import { findReplaced, RtmpIngest } from './rtmp-ingest.ts'

async function openIngest(t: TestContext) {
  const ingest = await RtmpIngest.listen('0.0.0.0', 0)
  t.after(() => ingest.close())
  const open = async (localAddress: string) => {
    const socket = connect({ host: localAddress, port: ingest.port, localAddress })
    let isClosed = false
    socket.on('error', () => {}).once('close', () => (isClosed = true))
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    return { isClosed: () => isClosed }
  }
  return open
}

test('STR-130: an address has ten connections that have not published; a further one replaces its oldest', async (t) => {
  const open = await openIngest(t)
  const first = await open('127.0.0.1')
  const others = []
  for (let count = 0; count < 9; count += 1) others.push(await open('127.0.0.1'))
  assert.equal(first.isClosed(), false)
  const last = await open('127.0.0.1')
  await waitFor('the oldest is closed', first.isClosed)
  assert.deepEqual(
    [last, ...others].filter(({ isClosed }) => isClosed()),
    [],
  )
})

test('STR-130: addresses of one /64 network replace each other, until all networks have the limit', () => {
  const waiting: { readonly network: string; readonly address: string }[] = []
  const open = (address: string) => {
    const network = networkOf(address)
    const replaced = findReplaced(waiting, network)
    if (replaced) waiting.splice(waiting.indexOf(replaced), 1)
    waiting.push({ network, address })
    return replaced?.address
  }
  assert.equal(open('2001:db8:1:3::1'), undefined)
  const replaced = Array.from({ length: 150 }, (_, index) => open(`2001:db8:1:2:${index.toString(16)}::1`))
  assert.deepEqual(replaced.slice(0, 10), new Array(10).fill(undefined))
  assert.deepEqual(replaced.slice(10, 12), ['2001:db8:1:2:0::1', '2001:db8:1:2:1::1'])
  assert.equal(waiting.length, 11)
  const others = Array.from({ length: 90 }, (_, index) => open(`192.0.2.${index}`))
  assert.deepEqual(others, [...new Array(89).fill(undefined), '2001:db8:1:3::1'])
})

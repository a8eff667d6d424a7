import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { RtmpIngest } from './rtmp-ingest.ts'

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

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { Scope } from './scope.ts'

/** Listens with the shortest queue, and stops the event loop, so that no connection is taken from it. */
const LISTENER = `
const { createServer } = require('node:net')
const { parentPort, workerData } = require('node:worker_threads')
const server = createServer().listen({ host: workerData, port: 0, backlog: 1 }, () => {
  parentPort.postMessage(server.address().port)
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
})
`

/** Connections that no queue of length 1 takes. */
const CONNECTIONS = 4

/** Returns a port of an address at which attempts to connect get no answer, as behind a firewall that drops them. */
export async function silentPort(scope: Scope, host: string): Promise<number> {
  const listener = new Worker(LISTENER, { eval: true, workerData: host })
  scope.after(() => listener.terminate())
  const [port]: number[] = await once(listener, 'message')
  assert.ok(port !== undefined)
  const sockets = Array.from({ length: CONNECTIONS }, () => connect({ host, port }).on('error', () => {}))
  scope.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  await once(sockets[0] as (typeof sockets)[number], 'connect')
  return port
}

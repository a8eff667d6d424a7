import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, test } from 'node:test'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import type { WebSocket } from 'ws'
import { RtmpIngest } from '../../src/features/video/local/rtmp-ingest.ts'
import { EventStreams } from '../../src/http/event-stream.ts'
import { Fault } from '../../src/http/fault.ts'
import { networkOf } from '../../src/http/request-origin.ts'
import { defaultLimits } from '../../src/sockets/limits.ts'
import { UnauthenticatedSockets } from '../../src/sockets/unauthenticated-sockets.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { skipIfMissing } from '../support/optional-part.ts'
import { checkProperty } from '../support/property.ts'
import { suiteScope } from '../support/scope.ts'
import { startCloud } from '../support/test-cloud.ts'

const group = fc.nat({ max: 0xffff }).map((value) => value.toString(16))

/** Any address of one /64 network. */
const attackerAddress = fc
  .tuple(group, group, group, group)
  .map((groups) => `2001:db8:1:2:${groups.join(':')}`)

/** Addresses of others, among them the next network. */
const OTHERS = ['2001:db8:1:3::1', '192.0.2.7', '::ffff:198.51.100.9']

/** What the attacker does: occupies a place, gives up one, or waits. */
const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: attackerAddress.map((address) => ({ kind: 'open', address }) as const) },
    { weight: 1, arbitrary: fc.nat().map((index) => ({ kind: 'close', index }) as const) },
    { weight: 1, arbitrary: fc.nat({ max: 3_000 }).map((ms) => ({ kind: 'wait', ms }) as const) },
  ),
  { maxLength: 60, size: 'max' },
)

/** A pool of places; `open` returns how to leave a place, or undefined if there is none. */
interface Pool {
  readonly clock: VirtualClock
  open(address: string): (() => void) | undefined
}

function socketPool(): Pool {
  const clock = new VirtualClock()
  const limits = { ...defaultLimits, unauthenticatedSockets: 12, unauthenticatedPerNetwork: 6 }
  const sockets = new UnauthenticatedSockets(clock, limits)
  return {
    clock,
    open(address) {
      const network = networkOf(address)
      if (!sockets.makeRoom(network)) return undefined
      // The pool uses these methods only.
      const ws = { close() {}, terminate() {} } as unknown as WebSocket
      const request = { socket: Object.assign(new EventEmitter(), { bytesRead: 0 }) }
      return sockets.add(ws, request as unknown as IncomingMessage, network)
    },
  }
}

function streamPool(): Pool {
  const clock = new VirtualClock()
  const streams = new EventStreams({
    clock,
    access: { watch: () => () => {} } as never,
    signal: new AbortController().signal,
    maxStreams: 12,
  })
  let users = 0
  return {
    clock,
    open(address) {
      const raw = new EventEmitter()
      const sent: { destroy(): void }[] = []
      const reply = { headers: () => reply, send: (stream: { destroy(): void }) => sent.push(stream) }
      users += 1
      try {
        // Each is another account.
        const caller = { user: { id: `user ${users}`, tokensValidFrom: 0 } }
        streams.open(
          { caller, query: {}, request: { ip: address, raw }, reply } as never,
          async function* (signal) {
            await once(signal, 'abort')
            yield ''
          },
        )
      } catch (error) {
        if (error instanceof Fault && error.code === 'TOO_MANY_STREAMS') return undefined
        throw error
      }
      return () => {
        raw.emit('close')
        for (const stream of sent) stream.destroy()
      }
    },
  }
}

/** Returns the address of another interface than loopback, which counts as another network. */
function otherInterface(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
}

const OTHER_ADDRESS = otherInterface()

describe('places that are limited', () => {
  const scope = suiteScope()

  for (const [name, createPool] of Object.entries({ sockets: socketPool, streams: streamPool }))
    test(`TRU-6: ${name}`, async () => {
      await checkProperty(
        fc.asyncProperty(steps, fc.constantFrom(...OTHERS), async (sequence, other) => {
          const { clock, open } = createPool()
          const held: (() => void)[] = []
          for (const step of sequence) {
            if (step.kind === 'wait') clock.advance(step.ms)
            else if (step.kind === 'close') {
              held.splice(step.index % Math.max(1, held.length), 1)[0]?.()
              await setImmediate()
            } else {
              const leave = open(step.address)
              if (leave !== undefined) held.push(leave)
            }
          }
          const leave = open(other)
          assert.ok(leave, 'the other network finds no place')
          for (const end of [leave, ...held]) end()
        }),
        { runs: 60 },
      )
    })

  test('TRU-6: starts of device sign-ins, and mails', async () => {
    const cloud = await startCloud(scope, { env: { TRUST_PROXY: 'true', REST_LIMIT_PER_MINUTE: '1000000' } })
    let count = 0
    const send = async (address: string, isMail: boolean) => {
      count += 1
      const headers = { 'x-forwarded-for': address }
      const { status } = isMail
        ? await cloud.request('POST', '/api/auth/request-password-reset', {
            headers,
            body: { email: `nobody-${count}@example.org` },
          })
        : await cloud.request('POST', '/api/auth/device', { headers, body: {} })
      assert.ok(status === 200 || status === 429, String(status))
      return status === 200
    }
    const requests = fc.array(fc.tuple(attackerAddress, fc.boolean()), {
      minLength: 20,
      maxLength: 60,
      size: 'max',
    })
    let network = 0
    await checkProperty(
      fc.asyncProperty(requests, async (sequence) => {
        for (const [address, isMail] of sequence) await send(address, isMail)
        // Another network each time, since counts last longer than the test.
        network += 1
        for (const isMail of [true, false])
          assert.ok(
            await send(`2001:db8:ffff:${(network % 0xffff).toString(16)}::1`, isMail),
            `mail: ${isMail}`,
          )
      }),
      { runs: 5 },
    )
    const accepted = []
    for (let index = 0; index < 40; index += 1) accepted.push(await send(`2001:db8:1:2::${index}`, false))
    assert.ok(accepted.includes(false), 'the network has a limit')
  })

  test('TRU-6: publishers', {
    skip: skipIfMissing(OTHER_ADDRESS === undefined ? 'no network interface has an address' : undefined),
  }, async () => {
    const ingest = await RtmpIngest.listen('0.0.0.0', 0)
    const sockets: Socket[] = []
    scope.after(() => {
      for (const socket of sockets) socket.destroy()
      return ingest.close()
    })
    const open = async (host: string) => {
      const socket = connect({ port: ingest.port, host, localAddress: host })
      socket.on('error', () => {})
      socket.resume()
      sockets.push(socket)
      await once(socket, 'connect')
      return socket
    }
    await checkProperty(
      fc.asyncProperty(
        // Loopback addresses count as one. They are more than the places of all addresses together.
        fc.array(fc.nat({ max: 253 }), { minLength: 101, maxLength: 130, size: 'max' }),
        async (hosts) => {
          // Publishers have ten seconds to name a key.
          const other = await open(OTHER_ADDRESS ?? '')
          for (const host of hosts) await open(`127.0.0.${1 + host}`)
          await delay(50)
          assert.equal(other.closed, false, 'the other publisher lost its place')
          for (const socket of sockets.splice(0)) socket.destroy()
        },
      ),
      { runs: 5 },
    )
  })
})

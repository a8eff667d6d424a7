import type { Check } from '../check.ts'
import type { Context } from '../context.ts'
import { expect } from '../expect.ts'
import { Deviation } from '../outcome.ts'
import type { Socket } from '../socket.ts'
import { expectMessage } from './messages.ts'

const AUTHENTICATION = 'Contract: Authentication, rule 4; docs/protocol/glasses-socket.md §1.1'
const ORDER = 'docs/protocol/glasses-socket.md §1.2'
const TAKES_OVER = 'opens the glasses socket, which disconnects other glasses of the user'
const LARGE_BYTES = 200_000

async function openAcknowledged(context: Context): Promise<Socket> {
  const socket = await context.openGlasses()
  await socket.next('connection_ack')
  return socket
}

/** Expects that the cloud still answers on this socket. */
async function expectAlive(socket: Socket): Promise<void> {
  socket.send({ type: 'ping' })
  await socket.next('pong')
}

async function expectRejected(context: Context, headers: Readonly<Record<string, string>>): Promise<void> {
  const handshake = await context.shakeGlasses({}, { headers })
  if ('socket' in handshake) throw new Deviation('The socket was opened without a valid token')
  expect(handshake.status === 401, `The handshake was rejected with ${handshake.status}, not 401`)
}

export const glassesSocketChecks: readonly Check[] = [
  {
    id: 'glasses.authentication',
    title: 'A handshake without a token is rejected with 401',
    source: AUTHENTICATION,
    run: (context) => expectRejected(context, {}),
  },
  {
    id: 'glasses.invalid-token',
    title: 'A handshake with an invalid token is rejected with 401',
    source: AUTHENTICATION,
    run: (context) => expectRejected(context, { authorization: 'Bearer not.a.token' }),
  },
  {
    id: 'glasses.acknowledgement',
    title: 'The first message to glasses is connection_ack, before they have sent anything',
    source: ORDER,
    changes: TAKES_OVER,
    run: async (context) => {
      const socket = await context.openGlasses()
      const ack = await socket.next('connection_ack', context.options.deadlineMs)
      expect(socket.frames[0] === ack, `The first message was ${socket.frames[0]?.type}`)
      expectMessage('glasses', ack, 'flat')
    },
  },
  {
    id: 'glasses.acknowledgement-time',
    title: 'connection_ack arrives in time',
    source: 'docs/protocol/glasses-socket.md §1.2; limit of --max-ack-ms',
    changes: TAKES_OVER,
    run: async (context) => {
      const { maxAckMs, deadlineMs } = context.options
      const socket = await context.openGlasses()
      const openedAt = performance.now()
      await socket.next('connection_ack', deadlineMs)
      const elapsedMs = Math.round(performance.now() - openedAt)
      expect(elapsedMs <= maxAckMs, `connection_ack took ${elapsedMs} ms, more than ${maxAckMs} ms`)
    },
  },
  {
    id: 'glasses.token-in-query',
    title: 'The token may be in the query, as phones send it',
    source: 'docs/protocol/glasses-socket.md §1.1',
    changes: TAKES_OVER,
    run: async (context) => {
      const socket = await context.openGlasses({ token: context.options.token }, {})
      await socket.next('connection_ack')
    },
  },
  {
    id: 'glasses.ping',
    title: 'A JSON ping is answered with pong, a WebSocket ping with a WebSocket pong',
    source: 'docs/protocol/glasses-socket.md §1.7',
    changes: TAKES_OVER,
    run: async (context) => {
      const socket = await openAcknowledged(context)
      await expectAlive(socket)
      await socket.pingFrame()
    },
  },
  {
    id: 'glasses.init',
    title: 'connection_init is answered with another connection_ack',
    source: ORDER,
    changes: TAKES_OVER,
    run: async (context) => {
      const socket = await openAcknowledged(context)
      socket.send({ type: 'connection_init' })
      expectMessage('glasses', await socket.next('connection_ack'), 'flat')
    },
  },
  {
    id: 'glasses.malformed',
    title: 'A message that is not JSON is answered with connection_error, and the socket stays open',
    source: 'docs/protocol/glasses-socket.md §1.6; decision W3',
    changes: TAKES_OVER,
    run: async (context) => {
      const socket = await openAcknowledged(context)
      socket.send('{ not JSON')
      expectMessage('glasses', await socket.next('connection_error'), 'flat')
      await expectAlive(socket)
    },
  },
  {
    id: 'glasses.unknown-type',
    title: 'A message of an unknown type leaves the socket open',
    source: 'docs/protocol/glasses-socket.md §2.1',
    changes: TAKES_OVER,
    run: async (context) => {
      const socket = await openAcknowledged(context)
      socket.send({ type: 'conformance_unknown', value: 1 })
      await expectAlive(socket)
    },
  },
  {
    id: 'glasses.large-message',
    title: 'A message of 200 kB passes',
    source: 'docs/sockets.md: Limits',
    changes: TAKES_OVER,
    run: async (context) => {
      const socket = await openAcknowledged(context)
      socket.send({ type: 'conformance_unknown', value: 'x'.repeat(LARGE_BYTES) })
      await expectAlive(socket)
    },
  },
  {
    id: 'glasses.binary',
    title: 'Binary audio passes',
    source: 'docs/protocol/glasses-socket.md §2.6',
    changes: TAKES_OVER,
    run: async (context) => {
      const socket = await openAcknowledged(context)
      for (let frame = 0; frame < 10; frame++) socket.send(new Uint8Array(640))
      await expectAlive(socket)
    },
  },
  {
    id: 'glasses.reconnect',
    title: 'Glasses that reconnect return to their session',
    source: 'docs/protocol/glasses-socket.md §1.8',
    changes: TAKES_OVER,
    run: async (context) => {
      const first = await context.openGlasses()
      const { sessionId } = expectMessage('glasses', await first.next('connection_ack'), 'flat')
      first.drop()
      const second = await context.openGlasses()
      const again = expectMessage('glasses', await second.next('connection_ack'), 'flat')
      expect(again.sessionId === sessionId, 'The reconnected glasses are in another session')
    },
  },
  {
    id: 'glasses.takeover',
    title: 'Newer glasses of the same user take over, and the older socket is closed',
    source: 'docs/sockets.md: Close codes',
    changes: TAKES_OVER,
    run: async (context) => {
      const older = await openAcknowledged(context)
      await openAcknowledged(context)
      const code = await older.closed()
      expect(code === 4409, `The older socket was closed with ${code}, not 4409`)
    },
  },
]

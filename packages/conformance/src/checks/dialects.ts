import { ENVELOPE_SUBPROTOCOL } from '@glasses-cloud/contract'
import type { Check } from '../check.ts'
import { expectMessage } from './messages.ts'

const ENVELOPE = 'Contract: What the service does, point 10'
const DECISION = 'docs/sockets.md: Dialects; decision W1'
const TAKES_OVER = 'opens the glasses socket, which disconnects other glasses of the user'

export const dialectChecks: readonly Check[] = [
  {
    id: 'dialect.first-message',
    title: 'The first message carries both forms',
    source: DECISION,
    changes: TAKES_OVER,
    run: async (context) => {
      const socket = await context.openGlasses()
      expectMessage('glasses', await socket.next('connection_ack'), 'both')
    },
  },
  {
    id: 'dialect.glasses-flat',
    title: 'Glasses that send flat messages receive flat ones',
    source: 'docs/protocol/glasses-socket.md: Common to all messages',
    changes: TAKES_OVER,
    run: async (context) => {
      const socket = await context.openGlasses()
      await socket.next('connection_ack')
      socket.send({ type: 'connection_init' })
      expectMessage('glasses', await socket.next('connection_ack'), 'flat')
    },
  },
  {
    id: 'dialect.glasses-envelope',
    title: 'Glasses that send { type, data } receive { type, data }',
    source: ENVELOPE,
    changes: TAKES_OVER,
    run: async (context) => {
      const socket = await context.openGlasses()
      await socket.next('connection_ack')
      socket.send({ type: 'connection_init', data: {} })
      expectMessage('glasses', await socket.next('connection_ack'), 'envelope')
      socket.send({ type: 'button_press', data: { buttonId: [] } })
      expectMessage('glasses', await socket.next('connection_error'), 'envelope')
    },
  },
  {
    id: 'dialect.query',
    title: '?dialect=envelope selects the envelope in the handshake',
    source: DECISION,
    changes: TAKES_OVER,
    run: async (context) => {
      const socket = await context.openGlasses({ dialect: 'envelope' })
      expectMessage('glasses', await socket.next('connection_ack'), 'envelope')
    },
  },
  {
    id: 'dialect.subprotocol',
    title: `The subprotocol ${ENVELOPE_SUBPROTOCOL} selects the envelope`,
    source: DECISION,
    changes: TAKES_OVER,
    run: async (context) => {
      const headers = { authorization: `Bearer ${context.options.token}` }
      const socket = await context.openGlasses({}, { headers, protocols: [ENVELOPE_SUBPROTOCOL] })
      expectMessage('glasses', await socket.next('connection_ack'), 'envelope')
    },
  },
]

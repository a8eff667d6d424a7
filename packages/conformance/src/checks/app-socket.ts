import { type Check, STARTS_APP } from '../check.ts'
import { type Context, requirePermission } from '../context.ts'
import { expect, isRecord, shorten } from '../expect.ts'
import type { Socket } from '../socket.ts'
import { expectMessage, nextStreamFrame } from './messages.ts'

const FIRST_MESSAGE = 'docs/protocol/app-socket.md §1.3'
/** The cloud keeps the microphone on for some seconds, in case that another subscription follows. */
export const MICROPHONE_OFF_MS = 10_000
const ERRORS = 'docs/sockets.md: Errors'

/** Expects that a `tpa_connection_init` is rejected with a code and closed with 1008. */
async function expectRejected(context: Context, init: object, code: string): Promise<void> {
  const socket = await openUnauthenticated(context)
  socket.send(init)
  const error = expectMessage('app', await socket.next('tpa_connection_error'), 'flat')
  expect(error.code === code, `The error has code ${error.code}, not ${code}`)
  const closing = await socket.closed()
  expect(closing === 1008, `The socket was closed with ${closing}, not 1008`)
}

async function openUnauthenticated(context: Context): Promise<Socket> {
  const socket = await (await context.app()).openSocket()
  context.after(() => socket.drop())
  return socket
}

function textWall(text: string): object {
  return { view: 'main', layout: { layoutType: 'text_wall', text } }
}

export const appSocketChecks: readonly Check[] = [
  {
    id: 'app.acknowledgement',
    title: 'tpa_connection_ack has settings, OS settings and capabilities',
    source: 'docs/protocol/app-socket.md §1.4',
    changes: STARTS_APP,
    run: async (context) => {
      const { ack } = await context.app()
      expect(ack !== undefined, 'The app was started without tpa_connection_ack')
      expectMessage('app', ack, 'flat')
    },
  },
  {
    id: 'app.acknowledgement-time',
    title: 'tpa_connection_ack arrives in time',
    source: 'docs/protocol/app-socket.md §1.6; limit of --max-ack-ms',
    changes: STARTS_APP,
    run: async (context) => {
      const ackMs = Math.round((await context.app()).ackMs)
      const { maxAckMs } = context.options
      expect(ackMs <= maxAckMs, `tpa_connection_ack took ${ackMs} ms, more than ${maxAckMs} ms`)
    },
  },
  {
    id: 'app.invalid-key',
    title: 'A wrong API key is rejected with INVALID_API_KEY and close code 1008',
    source: ERRORS,
    changes: STARTS_APP,
    run: async (context) => {
      const app = await context.app()
      await expectRejected(context, app.init('flat', 'not-the-key'), 'INVALID_API_KEY')
    },
  },
  {
    id: 'app.unknown-session',
    title: 'An unknown session is rejected with SESSION_NOT_FOUND and close code 1008',
    source: ERRORS,
    changes: STARTS_APP,
    run: async (context) => {
      const app = await context.app()
      const sessionId = `conformancenosuchsession-${app.options.packageName}`
      await expectRejected(context, app.init('flat', app.options.apiKey, sessionId), 'SESSION_NOT_FOUND')
    },
  },
  {
    id: 'app.not-authenticated',
    title: 'A message before tpa_connection_init is answered with NOT_AUTHENTICATED',
    source: ERRORS,
    changes: STARTS_APP,
    run: async (context) => {
      const socket = await openUnauthenticated(context)
      socket.send({ type: 'subscription_update', subscriptions: [] })
      const error = expectMessage('app', await socket.next('tpa_connection_error'), 'flat')
      expect(error.code === 'NOT_AUTHENTICATED', `The error has code ${error.code}`)
    },
  },
  {
    id: 'app.unknown-type',
    title: 'An unknown message is answered with UNKNOWN_MESSAGE_TYPE, and the socket stays open',
    source: ERRORS,
    changes: STARTS_APP,
    run: async (context) => {
      const socket = await context.appSocket()
      socket.send({ type: 'conformance_unknown' })
      const error = expectMessage('app', await socket.next('tpa_connection_error'), 'flat')
      expect(error.code === 'UNKNOWN_MESSAGE_TYPE', `The error has code ${error.code}`)
      await socket.pingFrame()
    },
  },
  {
    id: 'app.display',
    title: 'A display_event of the app reaches the glasses',
    source: 'docs/protocol/app-socket.md §2.1.2',
    changes: STARTS_APP,
    run: async (context) => {
      const socket = await context.appSocket()
      socket.send({ type: 'display_event', ...textWall('Conformance') })
      await (await context.glasses()).waitForDisplay('Conformance')
    },
  },
  {
    id: 'app.button',
    title: 'A button press reaches a subscriber as data_stream, and no longer after it unsubscribed',
    source: 'docs/protocol/app-socket.md §2.3',
    changes: STARTS_APP,
    run: async (context) => {
      const socket = await context.appSocket()
      const glasses = await context.glasses()
      socket.send({ type: 'subscription_update', subscriptions: ['button_press', 'head_position'] })
      await socket.pingFrame()
      glasses.pressButton('conformance', 'long')
      const { data } = await nextStreamFrame(socket, 'button_press')
      expect(
        isRecord(data) && data.buttonId === 'conformance' && data.pressType === 'long',
        `Unexpected button press ${shorten(data)}`,
      )
      socket.send({ type: 'subscription_update', subscriptions: ['head_position'] })
      await socket.pingFrame()
      const seen = socket.frames.length
      glasses.pressButton('conformance')
      glasses.moveHead('down')
      await nextStreamFrame(socket, 'head_position')
      const unwanted = socket.frames.slice(seen).some(({ streamType }) => streamType === 'button_press')
      expect(!unwanted, 'The app received a button press that it does not subscribe to')
    },
  },
  {
    id: 'app.microphone',
    title: 'A subscription to audio switches the microphone on, its end switches it off',
    source: 'docs/protocol/glasses-socket.md §2.6.4',
    changes: STARTS_APP,
    run: async (context) => {
      await requirePermission(context, 'MICROPHONE')
      const socket = await context.appSocket()
      const glasses = await context.glasses()
      socket.send({ type: 'subscription_update', subscriptions: ['audio_chunk'] })
      await glasses.waitForMicrophone('pcm')
      // Not an empty list, which a cloud may ignore shortly after a reconnect, when SDKs send one.
      socket.send({ type: 'subscription_update', subscriptions: ['head_position'] })
      await glasses.waitForMicrophone(false, { timeoutMs: MICROPHONE_OFF_MS })
    },
  },
  {
    id: 'app.envelope',
    title: 'An app that sends { type, data } receives { type, data }',
    source: 'Contract: What the service does, point 10',
    changes: STARTS_APP,
    run: async (context) => {
      const app = await context.app()
      context.after(() => app.connect())
      const socket = await app.connect('envelope')
      if (app.ack !== undefined) expectMessage('app', app.ack, 'envelope')
      socket.send({ type: 'display_event', data: textWall('Envelope') })
      await (await context.glasses()).waitForDisplay('Envelope')
    },
  },
  {
    id: 'app.reconnect',
    title: 'An app that lost its connection reconnects without a webhook and keeps running',
    source: `docs/protocol/app-socket.md §1.6; ${FIRST_MESSAGE}`,
    changes: STARTS_APP,
    run: async (context) => {
      const app = await context.app()
      const webhooks = app.webhooks.length
      const lost = await context.appSocket()
      lost.drop()
      const socket = await app.connect()
      socket.send({ type: 'display_event', ...textWall('Reconnected') })
      await (await context.glasses()).waitForDisplay('Reconnected')
      expect(
        app.webhooks.length === webhooks,
        'The cloud called the webhook of an app that reconnected in time',
      )
    },
  },
]

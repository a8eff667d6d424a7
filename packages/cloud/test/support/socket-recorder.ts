import assert from 'node:assert/strict'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex, Writable } from 'node:stream'
import { type Dialect, decode, ENVELOPE_SUBPROTOCOL } from '@glasses-cloud/contract'
import * as ws from 'ws'
import { socketAt } from '../../src/sockets/handshake.ts'
import { asyncApiDocument } from '../../src/sockets/index.ts'
import { type AsyncApiDocument, AsyncApiValidator } from './asyncapi-validator.ts'

/** The frame parser of `ws`, which its type declarations omit. */
const { Receiver } = ws as unknown as {
  readonly Receiver: new (options: { readonly isServer: boolean }) => Writable
}

/** Created once, because the document is the same for every cloud. */
let validator: AsyncApiValidator | undefined

/** The validator for frames sent by the cloud. */
export function socketValidator(): AsyncApiValidator {
  validator ??= new AsyncApiValidator(
    asyncApiDocument({ version: '', url: new URL('http://cloud') }) as unknown as AsyncApiDocument,
  )
  return validator
}

/** The frames recorded on the sockets of a server. */
export interface SocketRecording {
  /** Each sent message type as `operation type form`, such as `sendToGlasses pong envelope`. */
  readonly sent: ReadonlySet<string>
  /** Asserts that every sent frame matches the AsyncAPI document. */
  verify(): void
}

/**
 * Records the frames that a server sends on its sockets, from the bytes on the wire, and validates each against the
 * AsyncAPI document in the form that the client uses.
 */
export function recordSockets(server: Server): SocketRecording {
  const sent = new Set<string>()
  const failures: string[] = []
  server.prependListener('upgrade', (request: IncomingMessage, socket: Duplex) => {
    const url = URL.parse(request.url ?? '/', 'http://cloud')
    const which = url && socketAt(url.pathname)
    if (!url || !which) return
    const operation = which === 'glasses' ? 'sendToGlasses' : 'sendToApp'
    let clientDialect = dialectOf(request, url)
    parseFrames(socket, {
      received: (data, isBinary) => {
        if (clientDialect !== undefined || isBinary) return
        const decoded = decode(data.toString())
        if (decoded.ok) clientDialect = decoded.dialect
      },
      sent: (data, isBinary) => {
        const dialect = clientDialect ?? (which === 'glasses' ? 'both' : 'flat')
        try {
          if (isBinary) assert.equal(operation, 'sendToApp', 'a binary frame was sent to glasses')
          else socketValidator().check(operation, dialect, data.toString())
          sent.add(`${operation} ${isBinary ? 'audio' : JSON.parse(data.toString()).type} ${dialect}`)
        } catch (error) {
          failures.push((error as Error).message)
        }
      },
    })
  })
  return { sent, verify: () => assert.deepEqual(failures.slice(0, 5), []) }
}

function dialectOf({ headers }: IncomingMessage, url: URL): Dialect | undefined {
  if (headers['sec-websocket-protocol']?.includes(ENVELOPE_SUBPROTOCOL)) return 'envelope'
  const requested = url.searchParams.get('dialect')
  return requested === 'flat' || requested === 'envelope' ? requested : undefined
}

type OnFrame = (data: Buffer, isBinary: boolean) => void

/** Parses the frames of both directions after the handshake, which is complete when status 101 is written. */
function parseFrames(socket: Duplex, { received, sent }: { received: OnFrame; sent: OnFrame }): void {
  const write = socket.write.bind(socket) as (...parts: unknown[]) => boolean
  let outgoing: Writable | undefined
  socket.write = ((chunk: Uint8Array | string, ...rest: unknown[]) => {
    const bytes = Buffer.from(chunk as string)
    if (outgoing) outgoing.write(bytes)
    else if (bytes.subarray(0, 12).toString() === 'HTTP/1.1 101') {
      outgoing = createParser(false, sent)
      const incoming = createParser(true, received)
      // The first listener starts the flow of data, but the server adds its own in the same tick.
      socket.on('data', (data: Buffer) => incoming.write(Buffer.from(data)))
    }
    return write(chunk, ...rest)
  }) as Duplex['write']
}

/** A parser for one direction. An invalid frame ends it, as it ends the socket. */
function createParser(isServer: boolean, onFrame: OnFrame): Writable {
  return new Receiver({ isServer }).on('message', onFrame).on('error', () => {})
}

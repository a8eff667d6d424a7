import assert from 'node:assert/strict'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex, Writable } from 'node:stream'
import { type Dialect, decode, ENVELOPE_SUBPROTOCOL } from '@glasses-cloud/contract'
import * as ws from 'ws'
import { asyncApiDocument } from '../../src/sockets/index.ts'
import { socketAt } from '../../src/sockets/paths.ts'
import { type AsyncApiDocument, AsyncApiValidator } from './asyncapi-validator.ts'

/** Reads frames out of bytes; the types of the library leave it out. */
const { Receiver } = ws as unknown as {
  readonly Receiver: new (options: { readonly isServer: boolean }) => Writable
}

/** What the sockets say of themselves: the same for every cloud, so that it is asked for once. */
let description: AsyncApiValidator | undefined

/** The description that frames are held against. */
export function socketDescription(): AsyncApiValidator {
  description ??= new AsyncApiValidator(
    asyncApiDocument({ version: '', url: new URL('http://cloud') }) as unknown as AsyncApiDocument,
  )
  return description
}

/** What was seen of a server's sockets. */
export interface SocketRecording {
  /** Each type that was sent, as `sendToGlasses pong envelope`: the operation, the type, the form. */
  readonly sent: ReadonlySet<string>
  /** Fails if something was sent that the description does not know. */
  verify(): void
}

/**
 * Reads along what a server sends on its sockets, to whatever client: bytes on the wire, so that nothing between
 * message and client escapes. Each frame must be one that the description knows, in the form that its receiver reads.
 */
export function recordSockets(server: Server): SocketRecording {
  const sent = new Set<string>()
  const wrong: string[] = []
  server.prependListener('upgrade', (request: IncomingMessage, socket: Duplex) => {
    const url = URL.parse(request.url ?? '/', 'http://cloud')
    const which = url && socketAt(url.pathname)
    if (!url || !which) return
    const operation = which === 'glasses' ? 'sendToGlasses' : 'sendToApp'
    let settled = settledBy(request, url)
    readAlong(socket, {
      received: (data, isBinary) => {
        if (settled !== undefined || isBinary) return
        const decoded = decode(data.toString())
        if (decoded.ok) settled = decoded.dialect
      },
      sent: (data, isBinary) => {
        const dialect = settled ?? (which === 'glasses' ? 'both' : 'flat')
        try {
          if (isBinary) assert.equal(operation, 'sendToApp', 'glasses take no binary frames')
          else socketDescription().check(operation, dialect, data.toString())
          sent.add(`${operation} ${isBinary ? 'audio' : JSON.parse(data.toString()).type} ${dialect}`)
        } catch (error) {
          wrong.push((error as Error).message)
        }
      },
    })
  })
  return { sent, verify: () => assert.deepEqual(wrong.slice(0, 5), []) }
}

function settledBy({ headers }: IncomingMessage, url: URL): Dialect | undefined {
  if (headers['sec-websocket-protocol']?.includes(ENVELOPE_SUBPROTOCOL)) return 'envelope'
  const asked = url.searchParams.get('dialect')
  return asked === 'flat' || asked === 'envelope' ? asked : undefined
}

type OnFrame = (data: Buffer, isBinary: boolean) => void

/** Reads the frames of both directions once the socket is open, which is when 101 is written. */
function readAlong(socket: Duplex, { received, sent }: { received: OnFrame; sent: OnFrame }): void {
  const write = socket.write.bind(socket) as (...parts: unknown[]) => boolean
  let outgoing: Writable | undefined
  socket.write = ((chunk: Uint8Array | string, ...rest: unknown[]) => {
    const bytes = Buffer.from(chunk as string)
    if (outgoing) outgoing.write(bytes)
    else if (bytes.subarray(0, 12).toString() === 'HTTP/1.1 101') {
      outgoing = framesOf(false, sent)
      const incoming = framesOf(true, received)
      // Reading starts with the first listener, but not before the server has put its own beside.
      socket.on('data', (data: Buffer) => incoming.write(Buffer.from(data)))
    }
    return write(chunk, ...rest)
  }) as Duplex['write']
}

/** What is broken on purpose ends the reading, as it ends the socket. */
function framesOf(isServer: boolean, found: OnFrame): Writable {
  return new Receiver({ isServer }).on('message', found).on('error', () => {})
}

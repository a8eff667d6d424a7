import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelManifest } from '../../src/features/speech-models/speech-model.ts'
import type { Scope } from './scope.ts'

/** What a publisher does wrong with a file. */
export interface PublisherFault {
  /** Sends this status instead of the file. */
  readonly status?: number
  /** Closes the connection after this many bytes of a response, some of which may be lost. */
  readonly cutAfter?: number
  /** Sends this many bytes of a response, and nothing more until the client gives up. */
  readonly stallAfter?: number
  /** Number of requests with the fault; all if absent. */
  times?: number
}

export interface PublishedFile {
  content: Buffer
  readonly fault?: PublisherFault
  readonly headers?: Readonly<Record<string, string>>
  /** Redirects there. */
  readonly location?: string
  /** Ignores `Range`. */
  readonly isWithoutRanges?: boolean
  /** Sends no `ETag`. */
  readonly isWithoutEtag?: boolean
}

export interface ModelPublisher {
  /** Base URL, with a trailing slash. */
  readonly url: string
  /** By path, without a leading slash. */
  readonly files: Map<string, PublishedFile>
  /** The requests so far: path and `Range`. */
  readonly requests: string[]
  /** Resolves when a response has stalled. */
  stalled(): Promise<unknown>
  /** Closes every connection. */
  cut(): void
}

/** Returns the lower-case hex SHA-256 of bytes. */
export const sha256Of = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

/** Starts an HTTP server that publishes the files of models, with ranges and validators, and with faults. */
export async function startPublisher(scope: Scope): Promise<ModelPublisher> {
  const files = new Map<string, PublishedFile>()
  const requests: string[] = []
  const stalls = new EventTarget()
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1).replace(/\?.*$/, '')
    const { range, 'if-range': ifRange } = request.headers
    requests.push(range === undefined ? path : `${path} ${range}`)
    const file = files.get(path)
    if (file === undefined) return void response.writeHead(404).end('not here')
    if (file.location !== undefined)
      return void response.writeHead(302, { location: file.location, ...file.headers }).end()
    const fault = takeFault(file.fault)
    if (fault?.status !== undefined) return void response.writeHead(fault.status).end()
    const etag = `"${sha256Of(file.content).slice(0, 16)}"`
    const isRanged =
      range !== undefined && !file.isWithoutRanges && (ifRange === undefined || ifRange === etag)
    const start = isRanged ? Number(/^bytes=(\d+)-$/.exec(range)?.[1]) : 0
    const headers = { ...(file.isWithoutEtag ? {} : { etag }), ...file.headers }
    const size = file.content.length
    if (isRanged && start >= size)
      return void response.writeHead(416, { 'content-range': `bytes */${size}`, ...headers }).end()
    response.writeHead(isRanged ? 206 : 200, {
      'content-length': size - start,
      ...(isRanged && { 'content-range': `bytes ${start}-${size - 1}/${size}` }),
      ...headers,
    })
    send(response, file.content.subarray(start), fault)
  })
  const send = (response: ServerResponse, content: Buffer, fault: PublisherFault | undefined) => {
    if (fault?.cutAfter !== undefined) {
      response.write(content.subarray(0, fault.cutAfter), () => response.destroy())
    } else if (fault?.stallAfter !== undefined) {
      response.write(content.subarray(0, fault.stallAfter), () => stalls.dispatchEvent(new Event('stall')))
    } else response.end(content)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    files,
    requests,
    stalled: () => once(stalls, 'stall'),
    cut: () => server.closeAllConnections(),
  }
}

function takeFault(fault: PublisherFault | undefined): PublisherFault | undefined {
  if (fault?.times === undefined) return fault
  if (fault.times === 0) return undefined
  fault.times -= 1
  return fault
}

/** The manifest of a small streaming recognizer, whose files are published. @param facts whether sizes and hashes are stated */
export function publishModel(
  publisher: ModelPublisher,
  id: string,
  facts: 'stated' | 'unstated' = 'stated',
  language = 'en',
): ModelManifest {
  const roles = ['encoder', 'decoder', 'joiner', 'tokens']
  return {
    id,
    name: `Model ${id}`,
    kind: 'streaming-recognizer',
    architecture: 'transducer',
    languages: [language],
    detectsLanguage: false,
    memoryBytes: 1_000_000,
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    source: publisher.url,
    files: roles.map((role, index) => {
      const name = role === 'tokens' ? 'tokens.txt' : `${role}.onnx`
      const content = Buffer.alloc(20_000 * (index + 1), `${id} ${role} `)
      publisher.files.set(`${id}/${name}`, { content })
      return {
        name,
        role,
        url: `${publisher.url}${id}/${name}`,
        ...(facts === 'stated' && { bytes: content.length, sha256: sha256Of(content) }),
      }
    }),
  }
}

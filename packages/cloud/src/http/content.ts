import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { fault } from './fault.ts'

/** A range of bytes, both ends inclusive and starting at 0. */
export interface ResolvedRange {
  readonly start: number
  readonly end: number
}

/** A file or a sound whose size is known. */
export interface Content {
  /** Bytes. */
  readonly size: number
  /** Identifies the bytes, in quotation marks; undefined: a client cannot tell whether they are still the same. */
  readonly etag?: string | undefined
  /** Returns what is sent of it: a range, or all. @throws Fault */
  open(range: ResolvedRange | undefined): Promise<Readable>
}

/** The headers that {@link sendContent} reads, for the schema of an endpoint. */
export const RANGE_HEADERS = {
  range: Type.Optional(Type.String({ description: 'One range of bytes, such as `bytes=0-1`' })),
  'if-range': Type.Optional(Type.String()),
} as const

/** The descriptions of a response with a range, for the schema of an endpoint that declares `RANGE_NOT_SATISFIABLE`. */
export const PARTIAL_CONTENT = {
  206: Type.Unsafe<unknown>({ type: 'string', format: 'binary', description: 'The requested range' }),
} as const

/**
 * Sends content, or the range of it that the client asks for: players on iPhones ask for the first two bytes, and play
 * nothing from a server that sends them more. HEAD gets the headers of the whole.
 * @throws Fault `RANGE_NOT_SATISFIABLE` if the range begins behind the end
 */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  { size, etag, open }: Content,
): Promise<FastifyReply> {
  reply.header('accept-ranges', 'bytes')
  const { range, 'if-range': ifRange } = request.headers
  const isHead = request.method === 'HEAD'
  const isCurrent = ifRange === undefined || ifRange === etag
  const part = isCurrent && !isHead ? parseRange(range, size) : undefined
  if (part === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`)
    throw fault('RANGE_NOT_SATISFIABLE')
  }
  const stream = await open(part)
  if (part) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`)
  reply.header('content-length', part ? part.end - part.start + 1 : size)
  if (!isHead) return reply.send(stream)
  stream.on('error', () => {}).destroy()
  return reply.send(Readable.from([]))
}

/**
 * Parses the `Range` header of a request for a file of `size` bytes. Supports a single range; multiple ranges, other
 * units and malformed headers are ignored, as RFC 9110, section 14.2 permits.
 * @returns undefined if the whole file is to be sent
 */
function parseRange(header: string | undefined, size: number): ResolvedRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const suffix = Math.min(Number(last), size)
    return suffix === 0 ? 'unsatisfiable' : { start: size - suffix, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

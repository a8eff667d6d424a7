import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'

/** A request through a proxy. */
export interface ProxiedRequest {
  readonly method?: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON. */
  readonly body?: object | string | Buffer
  /** The loopback address of the client; 127.0.0.1 by default. */
  readonly from?: string
}

/** A response through a proxy. */
export interface ProxiedResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const TIMEOUT_MS = 60_000

/** Opens a request on a connection of its own, without sending a body. */
export function openRequest(url: string, { method = 'GET', token, headers, from }: ProxiedRequest) {
  const options: RequestOptions = {
    method,
    agent: false,
    // The family of `localAddress`.
    family: 4,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    ...(from && { localAddress: from }),
  }
  return request(url, options)
}

/** Sends a request over HTTPS, and reads its response. */
export async function sendThrough(url: string, options: ProxiedRequest = {}): Promise<ProxiedResponse> {
  const { body, headers } = options
  const isJson = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body)
  const sent = openRequest(url, {
    ...options,
    headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
  })
  sent.end(isJson ? JSON.stringify(body) : body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return {
    status: Number(response.statusCode),
    headers: response.headers,
    text: Buffer.concat(chunks).toString(),
  }
}

import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { deriveSecret, isEqualSecret } from '../../../identity/index.ts'

/** Marks requests of other nodes: the time in epoch ms and a signature. */
const HEADER = 'x-glasses-cloud-forwarded'

/** Difference of the clocks of nodes, and time on the way. */
const MAX_AGE_MS = 60_000

/**
 * Signs requests that a node forwards to another, so that the other node does not count them: the node that the viewer
 * reached has counted them, by the address that it saw.
 */
export class ForwardedRequests {
  /** One for each accepted secret, the current one first. */
  readonly #keys: readonly string[]
  readonly #now: () => number

  /**
   * @param secrets the accepted values of `AUTH_SECRET`, the current one first
   * @param now epoch ms
   */
  constructor(secrets: readonly string[], now: () => number) {
    this.#keys = secrets.map((secret) => deriveSecret(secret, 'forwarded request'))
    this.#now = now
  }

  /** Returns the headers of a request for a path that is forwarded. */
  headers(path: string): Record<string, string> {
    const time = String(this.#now())
    return { [HEADER]: `${time}.${sign(path, time, this.#keys[0] ?? '')}` }
  }

  /** Whether a request claims to be forwarded; such a request is not forwarded again. */
  isMarked({ headers }: FastifyRequest): boolean {
    return headers[HEADER] !== undefined
  }

  /** Whether a node of this cloud forwarded a request. */
  isFromNode({ headers, url }: FastifyRequest): boolean {
    const [time = '', signature = ''] = String(headers[HEADER] ?? '').split('.')
    if (!(Math.abs(this.#now() - Number(time)) <= MAX_AGE_MS)) return false
    return this.#keys.some((key) => isEqualSecret(signature, sign(url, time, key)))
  }
}

const sign = (path: string, time: string, key: string) =>
  createHmac('sha256', key).update(`${time} ${path}`).digest('base64url')

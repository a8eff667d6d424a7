import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type Config, isLoopbackHost } from '../../../config/index.ts'
import { isEqualSecret } from '../../../identity/index.ts'
import type { SetUpStore } from './set-up-store.ts'

/** Letters and digits that are not mistaken for others. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'

const CODE_LENGTH = 12

/**
 * The set-up of a new cloud: the first account becomes the administrator. Where strangers may reach the cloud, it
 * requires a code that only the operator can read.
 */
export class SetUp {
  readonly store: SetUpStore
  readonly #isLocal: boolean
  readonly #code: string

  constructor(store: SetUpStore, config: Pick<Config, 'http'>, secret: string) {
    const { host, publicUrl, trustProxy } = config.http
    this.store = store
    this.#isLocal =
      isLoopbackHost(host) &&
      (publicUrl === undefined || isLoopbackHost(publicUrl.hostname)) &&
      trustProxy === false
    this.#code = codeOf(secret)
  }

  /** Returns the code that the first account requires; undefined if it requires none. */
  async code(): Promise<string | undefined> {
    return !this.#isLocal && (await this.store.isPending()) ? this.#code : undefined
  }

  /** Returns whether a code is the set-up code, ignoring case and separators. */
  isCode(code: string): boolean {
    const plain = (text: string) => text.toUpperCase().replaceAll(/[\s-]/g, '')
    return isEqualSecret(plain(code), plain(this.#code))
  }

  /**
   * Returns whether a request needs no code: it comes from this machine and names it, so that neither a proxy nor a web
   * page whose name was pointed to this machine is between.
   */
  needsNoCode(request: FastifyRequest): boolean {
    const isForwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some(
      (name) => name in request.headers,
    )
    return this.#isLocal && !isForwarded && isLoopbackHost(request.ip) && isLoopbackHost(request.hostname)
  }
}

/** Derives the code from the secret of the cloud, so that it is the same on all nodes and after a restart. */
function codeOf(secret: string): string {
  const bytes = createHmac('sha256', secret).update('set-up code').digest()
  const letters = [...bytes.subarray(0, CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
}

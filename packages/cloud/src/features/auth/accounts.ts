import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserCaller } from '../../http/auth/index.ts'
import { fault } from '../../http/fault.ts'
import { toAccountFault } from './account-fault.ts'
import type { Auth, BetterAuthOptions } from './better-auth.ts'
import { authHeaders } from './request-headers.ts'

/** What the API of better-auth returns with `returnHeaders`. */
interface ApiResult<Body> {
  readonly headers: Headers | null | undefined
  readonly response: Body
}

/** Calls better-auth on behalf of requests. */
export class Accounts {
  readonly #options: () => BetterAuthOptions
  #auth: Promise<Auth> | undefined

  /** @param options read at the first call, once the cloud knows its address */
  constructor(options: () => BetterAuthOptions) {
    this.#options = options
  }

  /** Loads better-auth, which takes a few hundred milliseconds. */
  auth(): Promise<Auth> {
    this.#auth ??= import('./better-auth.ts').then(({ createAuth }) => createAuth(this.#options()))
    return this.#auth
  }

  /**
   * Calls the API with the cookies of a request, and sets the cookies of the result on the reply.
   * @throws Fault for rejections
   */
  async call<Body>(
    request: FastifyRequest,
    reply: FastifyReply,
    run: (api: Auth['api'], headers: Headers) => Promise<ApiResult<Body>>,
  ): Promise<Body> {
    const { api } = await this.auth()
    try {
      const { headers, response } = await run(api, authHeaders(request))
      const cookies = headers?.getSetCookie() ?? []
      if (cookies.length > 0) void reply.header('set-cookie', cookies)
      return response
    } catch (error) {
      throw toAccountFault(error)
    }
  }

  /**
   * Like {@link call}, for an act of the caller on their own account. better-auth acts for the session of the cookie, so it
   * must be that of the caller.
   * @throws Fault `UNAUTHORIZED` if it is not, and for rejections
   */
  async callAs<Body>(
    { loginId }: UserCaller,
    request: FastifyRequest,
    reply: FastifyReply,
    run: (api: Auth['api'], headers: Headers) => Promise<ApiResult<Body>>,
  ): Promise<Body> {
    return this.call(request, reply, async (api, headers) => {
      const found = await api.getSession({ headers, query: { disableRefresh: true } })
      if (found === null || found.session.id !== loginId) throw fault('UNAUTHORIZED')
      return run(api, headers)
    })
  }

  /** Sends the link that confirms an address, if it has an unconfirmed account. */
  async sendVerification(email: string): Promise<void> {
    const { api, $context } = await this.auth()
    const { internalAdapter } = await $context
    const found = await internalAdapter.findUserByEmail(email)
    if (found !== null && !found.user.emailVerified) await api.sendVerificationEmail({ body: { email } })
  }
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { Scope } from './scope.ts'

/** A person with an account at the issuer. */
export interface IssuerAccount {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
}

/** The client that the cloud is at the issuer. */
export const oidcClient = { clientId: 'glasses', clientSecret: 'a secret of the client' }

/** Starts an OpenID Connect provider that requires PKCE, and signs in the account that is set. */
export async function startOidcIssuer(scope: Scope, { emailInIdToken = true } = {}) {
  const accounts = new Map<string, IssuerAccount>()
  let account: IssuerAccount | undefined
  let handle: ReturnType<Provider['callback']> = async () => {}
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    /** Registers the cloud, once its address is known. */
    register(redirectUri: string): void {
      const provider = new Provider(url, {
        clients: [
          {
            client_id: oidcClient.clientId,
            client_secret: oidcClient.clientSecret,
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        pkce: { required: () => true },
        features: { devInteractions: { enabled: false } },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: [] },
        conformIdTokenClaims: !emailInIdToken,
        cookies: { keys: ['a key for cookies'] },
        findAccount: (_context: unknown, id: string) => {
          const found = accounts.get(id)
          return found && { accountId: id, claims: async () => found }
        },
        interactions: { url: () => '/interaction' },
      })
      const callback = provider.callback()
      handle = async (request, response) => {
        if (!request.url?.startsWith('/interaction')) return callback(request, response)
        if (account === undefined)
          return provider.interactionFinished(request, response, { error: 'access_denied' })
        const { params } = await provider.interactionDetails(request, response)
        const grant = new provider.Grant({ accountId: account.sub, clientId: params.client_id })
        grant.addOIDCScope('openid email profile')
        const consent = { grantId: await grant.save() }
        await provider.interactionFinished(request, response, { login: { accountId: account.sub }, consent })
      }
    },
    /** The account that signs in; undefined: the person cancels. */
    set account(value: IssuerAccount | undefined) {
      account = value
      if (value !== undefined) accounts.set(value.sub, value)
    },
  }
}

/** A browser that follows redirects between the cloud and the issuer. */
export class RedirectingBrowser {
  readonly #cookies = new Map<string, Map<string, string>>()

  /** Deletes the cookies of a host. */
  forget(host: string): void {
    this.#cookies.delete(host)
  }

  /** Sends a request. @returns the response, redirects included */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { host, origin } = new URL(url)
    const jar = this.#cookies.get(host) ?? new Map<string, string>()
    this.#cookies.set(host, jar)
    const headers = new Headers(init.headers)
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    if (init.method === 'POST') headers.set('origin', origin)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const separator = pair.indexOf('=')
      const value = pair.slice(separator + 1)
      if (value === '') jar.delete(pair.slice(0, separator))
      else jar.set(pair.slice(0, separator), value)
    }
    return response
  }

  /** Follows redirects from a URL until one leads to a page of the given origin and path prefix. */
  async follow(start: string, end: string): Promise<string> {
    let url = start
    for (let hops = 0; hops < 15; hops += 1) {
      const response = await this.fetch(url)
      await response.arrayBuffer()
      const location = response.headers.get('location')
      if (location === null) throw new Error(`${url} returned ${response.status} without a redirect`)
      url = new URL(location, url).href
      if (url.startsWith(end)) return url
    }
    throw new Error('too many redirects')
  }
}

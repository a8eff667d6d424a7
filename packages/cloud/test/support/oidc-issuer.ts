import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import Provider from 'oidc-provider'
import type { Scope } from './scope.ts'

/** Claims about a person with an account at the issuer; those but `sub` belong to the scope `email`. */
export interface IssuerAccount {
  readonly sub: string
  readonly [claim: string]: unknown
}

/** The client that the cloud is at the issuer. */
export const oidcClient = { clientId: 'glasses', clientSecret: 'a secret: of+the /client%=&' }

export interface IssuerOptions {
  readonly emailInIdToken?: boolean
  /** Path of its name, such as `/realm/`. */
  readonly path?: string
  /** How its client must authenticate; with `none` the client is public. */
  readonly authentication?: 'client_secret_basic' | 'client_secret_post' | 'client_secret_jwt' | 'none'
  /** What its metadata offer; the former alone by default, with `null` they say nothing. */
  readonly offered?: readonly string[] | null
  /** With which its ID tokens, and its userinfo if `signsUserInfo`, are signed. */
  readonly algorithm?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA'
  readonly signsUserInfo?: boolean
  /** Changes the body of a response in JSON, or the address that the browser is sent to. */
  readonly adjust?: (path: string, response: { body?: Record<string, unknown>; location?: URL }) => void
}

/** Signing keys, two of each type. */
let signingKeys: Promise<JWK[]> | undefined

async function makeSigningKeys(): Promise<JWK[]> {
  const algorithms = ['RS256', 'RS256', 'ES256', 'ES256', 'EdDSA', 'EdDSA']
  return Promise.all(
    algorithms.map(async (algorithm, index) => {
      const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
      return { ...(await exportJWK(privateKey)), kid: `key-${index}`, use: 'sig' }
    }),
  )
}

/** Starts an OpenID Connect provider that requires PKCE, and signs in the account that is set. */
export async function startOidcIssuer(
  scope: Scope,
  {
    emailInIdToken = true,
    path = '',
    authentication = 'client_secret_post',
    offered = [authentication],
    algorithm = 'RS256',
    signsUserInfo = false,
    adjust,
  }: IssuerOptions = {},
) {
  signingKeys ??= makeSigningKeys()
  const keys = await signingKeys
  const accounts = new Map<string, IssuerAccount>()
  const requests: IssuerRequest[] = []
  let account: IssuerAccount | undefined
  let handle: ReturnType<Provider['callback']> = async () => {}
  // A slow test may use a connection that was idle for long.
  const options = { keepAliveTimeout: 0 }
  const server = createServer(options, (request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const mountPath = path.replace(/\/$/, '')
  return {
    /** Its name. */
    url: origin + path,
    /** What it was asked. */
    requests,
    /** Registers the cloud, once its address is known. */
    register(redirectUri: string): void {
      const provider = new Provider(origin + path, {
        clients: [
          {
            client_id: oidcClient.clientId,
            ...(authentication !== 'none' && { client_secret: oidcClient.clientSecret }),
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: authentication,
            id_token_signed_response_alg: algorithm,
            ...(signsUserInfo && { userinfo_signed_response_alg: algorithm }),
          },
        ],
        jwks: { keys },
        clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'none'],
        pkce: { required: () => true },
        features: { devInteractions: { enabled: false }, jwtUserinfo: { enabled: signsUserInfo } },
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified', 'preferred_username', 'upn', 'xms_edov', 'emails'],
          profile: [],
        },
        conformIdTokenClaims: !emailInIdToken,
        cookies: { keys: ['a key for cookies'] },
        findAccount: (_context: unknown, id: string) => {
          const found = accounts.get(id)
          return found && { accountId: id, claims: async () => found }
        },
        interactions: { url: () => '/interaction' },
      })
      provider.use(async (context, next) => {
        const { path: requested } = context
        requests.push({ path: requested, authorization: context.headers.authorization })
        // The library accepts a secret in the header from a client that is registered with another method.
        const isMisplaced =
          context.headers.authorization !== undefined && /_(?:post|jwt)$/.test(authentication)
        if (requested === '/token' && isMisplaced) {
          context.status = 401
          context.body = { error: 'invalid_client' }
          return
        }
        await next()
        const { body } = context
        if (requested.endsWith('openid-configuration')) {
          const supported = 'token_endpoint_auth_methods_supported'
          if (offered === null) delete body[supported]
          else body[supported] = offered
        }
        const target = context.response.get('location')
        const location = target === '' ? undefined : new URL(target, origin)
        adjust?.(requested, { body, ...(location && { location }) })
        if (location) context.response.set('location', location.href)
      })
      const callback = provider.callback()
      handle = async (request, response) => {
        if (!request.url?.startsWith('/interaction')) {
          if (mountPath !== '' && request.url?.startsWith(`${mountPath}/`)) {
            Object.assign(request, { originalUrl: request.url })
            request.url = request.url.slice(mountPath.length)
          }
          return callback(request, response)
        }
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

/** A request to the issuer. */
interface IssuerRequest {
  readonly path: string
  readonly authorization: string | undefined
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

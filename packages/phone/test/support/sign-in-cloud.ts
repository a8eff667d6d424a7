import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { FakeCloud } from './fake-cloud.ts'

/** A fake cloud with device sign-ins: a test approves, denies and ends them. */
export class SignInCloud {
  readonly cloud: FakeCloud
  /** The paths that were requested, with the result of polls. */
  readonly requests: string[] = []
  /** Answer of the next polls. */
  decision: 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'approved' =
    'authorization_pending'
  /** The tokens that are accepted. */
  coreToken = 'core1'
  refreshToken = 'refresh1'
  /** No token is accepted, and handshakes are rejected. */
  isLoginEnded = false
  expiresInSeconds = 86_400
  startStatus = 200
  #codes = 0

  private constructor(cloud: FakeCloud) {
    this.cloud = cloud
    cloud.options = { onRequest: (request, response) => void this.#respond(request, response) }
  }

  static async start(t: TestContext): Promise<SignInCloud> {
    return new SignInCloud(await FakeCloud.start(t))
  }

  /** Ends the login, as a user does in the account. */
  endLogin(): void {
    this.isLoginEnded = true
    this.decision = 'authorization_pending'
    this.cloud.options = { ...this.cloud.options, reject: { status: 401, body: 'no' } }
  }

  /** Accepts a new login. */
  acceptLogin(): void {
    this.isLoginEnded = false
    this.cloud.options = { onRequest: (request, response) => void this.#respond(request, response) }
    this.decision = 'approved'
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse((await text(request)) || '{}')
    const [status, answer] = this.#answer(request.url ?? '', body, request.headers.authorization)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

  #answer(path: string, body: Record<string, unknown>, authorization?: string): [number, object] {
    this.requests.push(path)
    const tokens = { coreToken: this.coreToken, refreshToken: this.refreshToken }
    if (path === '/api/auth/device') {
      const code = `CODE-${++this.#codes}`
      return [
        this.startStatus,
        {
          device_code: `secret of ${code}`,
          user_code: code,
          verification_uri: 'https://cloud.example/device',
          expires_in: 600,
          interval: 0.05,
        },
      ]
    }
    if (path === '/api/auth/device/token') {
      if (this.decision !== 'approved' || body.device_code !== `secret of CODE-${this.#codes}`)
        return [400, { error: this.decision }]
      const { coreToken: access_token, refreshToken: refresh_token } = tokens
      return [200, { access_token, refresh_token, expires_in: this.expiresInSeconds }]
    }
    if (path === '/api/auth/refresh') return this.#refresh(body.refreshToken, authorization)
    if (path === '/api/auth/logout') {
      this.endLogin()
      return [200, { success: true }]
    }
    return [404, {}]
  }

  #refresh(refreshToken: unknown, authorization: string | undefined): [number, object] {
    if (this.isLoginEnded) return [401, { error: 'Unauthorized' }]
    if (refreshToken === undefined)
      return authorization === `Bearer ${this.coreToken}` ? [200, { coreToken: 'x' }] : [401, {}]
    if (refreshToken !== this.refreshToken) return [401, {}]
    this.coreToken = `${this.coreToken}+`
    this.refreshToken = `${this.refreshToken}+`
    const { coreToken } = this
    return [200, { coreToken, refreshToken: this.refreshToken, expiresIn: this.expiresInSeconds }]
  }
}

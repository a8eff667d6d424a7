import { setUpCodeOf } from '../../src/features/auth/index.ts'
import { type LocalCloud, type TestResponse, testSecret } from './test-cloud.ts'

/** A user of a session, as responses describe one. */
export interface SessionUser {
  readonly id: string
  readonly email: string
  readonly emailVerified: boolean
  readonly twoFactorEnabled: boolean
  readonly isAdministrator: boolean
}

/** A browser: keeps cookies, and sends its origin as a page of the cloud does. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #cloud: Pick<LocalCloud, 'request' | 'url'>
  /** Sent with every request. */
  headers: Readonly<Record<string, string>>

  constructor(cloud: Pick<LocalCloud, 'request' | 'url'>, headers?: Readonly<Record<string, string>>) {
    this.#cloud = cloud
    this.headers = headers ?? { origin: cloud.url }
  }

  async request<Body = unknown>(method: string, path: string, body?: unknown): Promise<TestResponse<Body>> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await this.#cloud.request<Body>(method, path, {
      body,
      headers: { ...this.headers, ...(cookie === '' ? {} : { cookie }) },
    })
    for (const line of response.headers.getSetCookie()) this.#store(line)
    return response
  }

  /** Signs up; the first account of a cloud with the set-up code. */
  signUp(email: string, password: string, more: object = {}) {
    return this.request<{ token: string | null; user: SessionUser; error?: string }>(
      'POST',
      '/api/auth/sign-up/email',
      { email, password, setUpCode: setUpCodeOf(testSecret), ...more },
    )
  }

  signIn(email: string, password: string) {
    return this.request<{
      token: string | null
      user: SessionUser | null
      twoFactorRedirect: boolean
      error?: string
    }>('POST', '/api/auth/sign-in/email', { email, password })
  }

  async session() {
    const path = '/api/auth/get-session'
    return (await this.request<{ session: { id: string }; user: SessionUser } | null>('GET', path)).body
  }

  #store(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const separator = pair.indexOf('=')
    const [name, value] = [pair.slice(0, separator), pair.slice(separator + 1)]
    if (value === '' || attributes.some((attribute) => /^max-age=0$/i.test(attribute)))
      this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

import { createSigner } from 'fast-jwt'
import { type TestCloud, testSecret } from './test-cloud.ts'

type Fields = Record<string, unknown>

export const deleteAccount = (cloud: TestCloud, token: string, body?: unknown) =>
  cloud.request<Fields>('POST', '/api/account/request-deletion', { token, body })

export const me = (cloud: TestCloud, token: string) =>
  cloud.request<Fields>('GET', '/api/account/me', { token })

/** A token that another issuer signed with the same secret: only `sub`, `email` and times. */
export const issueForeignToken = (email: string, iat: number) =>
  createSigner({ key: testSecret, algorithm: 'HS256', expiresIn: 3_600_000 })({
    sub: 'elsewhere',
    email,
    iat,
  })

export const seconds = (ms: number) => Math.floor(ms / 1000)

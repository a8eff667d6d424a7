import assert from 'node:assert/strict'
import { systemClock } from '../../src/time/index.ts'
import { startCloud, type TestCloud } from './test-cloud.ts'

type Fields = Record<string, unknown>

/** The package name of the app with a web view. */
export const packageName = 'web.app'
/** Its web view. */
export const webviewURL = 'https://web.example.org/in'

/** Signs a user in; returns the token requests of their phone. */
export async function signIn(cloud: TestCloud, email = 'ada@example.com') {
  const token = await cloud.token(email)
  const post = (path: string, body?: unknown) => cloud.request<Fields>('POST', path, { token, body })
  return {
    post,
    issueToken: async (name = packageName) =>
      String((await post('/api/auth/generate-webview-token', { packageName: name })).body.token),
    hash: (stringToHash: unknown, name = packageName) =>
      post('/api/auth/hash-with-api-key', { stringToHash, packageName: name }),
  }
}

/** Exchanges a token as the app SDK does. */
export const exchange = (
  cloud: TestCloud,
  { apiKey, packageName }: { apiKey?: string; packageName: string },
  aos_temp_token: unknown,
  path = '/api/auth/exchange-user-token',
) =>
  cloud.request<Fields>('POST', path, {
    ...(apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } }),
    body: { aos_temp_token, packageName },
  })

/** Status and body of an exchange that is rejected. */
export const invalidToken = [401, { error: 'Invalid or expired token' }]

/** Exchanges a token; returns whether it was valid. */
export async function canExchange(
  cloud: TestCloud,
  app: { apiKey: string; packageName: string },
  token: string,
) {
  const { status, body } = await exchange(cloud, app, token)
  if (status !== 200) assert.deepEqual([status, body], invalidToken)
  return status === 200
}

/** Starts a cloud whose clock can be advanced. */
export async function withClock(
  t: Parameters<typeof startCloud>[0],
  options: Parameters<typeof startCloud>[1],
) {
  let clockAheadMs = 0
  const clock = { ...systemClock, now: () => Date.now() + clockAheadMs }
  const cloud = await startCloud(t, { ...options, overrides: { clock } })
  const advance = (ms: number) => {
    clockAheadMs += ms
  }
  return { cloud, advance }
}

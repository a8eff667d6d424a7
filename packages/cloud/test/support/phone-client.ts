import assert from 'node:assert/strict'
import type { TestCloud } from './test-cloud.ts'

/** A JSON object. */
export type Fields = Record<string, unknown>

/** The default user. */
export const email = 'ada@example.com'

/** Signs a user in; returns the token and REST calls with it. */
export async function signIn(cloud: TestCloud, of = email) {
  const token = await cloud.token(of)
  return {
    token,
    get: <Body = Fields>(path: string) => cloud.request<Body>('GET', path, { token }),
    post: <Body = Fields>(path: string, body?: unknown) => cloud.request<Body>('POST', path, { token, body }),
  }
}

/** A response body without its timestamp, which must be an ISO 8601 time. */
export function withoutTimestamp({ timestamp, ...rest }: Fields): Fields {
  assert.equal(new Date(String(timestamp)).toISOString(), timestamp)
  return rest
}

import assert from 'node:assert/strict'
import type { LocalCloud, TestCloud } from './test-cloud.ts'

export type Fields = Record<string, unknown>

interface Fact {
  readonly key: string
  readonly value: unknown
  readonly updatedAt?: string
}

export interface Document {
  readonly format: string
  readonly version: number
  readonly exportId: string
  readonly createdAt: string
  readonly user: { readonly id: string; readonly email: string }
  readonly sections: Readonly<Record<string, readonly Fact[]>>
}

export async function signIn(cloud: TestCloud, email = 'ada@example.com') {
  const token = await cloud.token(email)
  const get = <Body = Fields>(path: string) => cloud.request<Body>('GET', `/api/account/${path}`, { token })
  return {
    requestExport: (body?: unknown) =>
      cloud.request<Fields>('POST', '/api/account/request-export', { token, body }),
    status: (id: unknown) => get(`export-status?id=${id}`),
    download: <Body = Fields>(id: unknown) => get<Body>(`download-export/${id}`),
    get,
  }
}

/** Requests an export and waits until it is completed. */
export async function exportData(cloud: LocalCloud, email: string, format: 'json' | 'csv'): Promise<string> {
  const { requestExport, status } = await signIn(cloud, email)
  const { body } = await requestExport({ format })
  await cloud.cloud.features.personalData.exports.idle()
  assert.equal((await status(body.id)).body.status, 'completed')
  return String(body.id)
}

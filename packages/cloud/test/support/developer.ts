import assert from 'node:assert/strict'
import type { TestCloud, TestResponse } from './test-cloud.ts'

/** A response of the developer API. */
export interface DeveloperBody {
  readonly success: boolean
  readonly message?: string
  readonly problems?: { readonly field: string; readonly message: string }[]
  readonly data: Record<string, unknown> & Record<string, unknown>[]
}

/** A user who sends requests below `/api/console`. */
export interface Developer {
  readonly email: string
  readonly id: string
  readonly token: string
  call(method: string, path: string, body?: unknown): Promise<TestResponse<DeveloperBody>>
  /** Creates an app and returns its API key. */
  create(packageName: string, manifest?: object): Promise<string>
  /** Uploads a file as a form. */
  upload(path: string, file: Uint8Array, field?: string): Promise<TestResponse<DeveloperBody>>
}

let count = 0

/** Creates a developer with an address of its own. */
export async function createDeveloper(cloud: TestCloud, name: string): Promise<Developer> {
  count += 1
  const email = `${name}-${count}@example.org`
  const token = await cloud.token(email)
  const user = await cloud.operator.users.findByEmail(email)
  assert.ok(user)
  const call: Developer['call'] = (method, path, body) =>
    cloud.request(method, `/api/console${path}`, { token, body })
  return {
    email,
    id: user.id,
    token,
    call,
    async create(packageName, manifest = {}) {
      const body = { packageName, name: packageName, publicUrl: 'http://127.0.0.1:9', ...manifest }
      const response = await call('POST', '/apps', body)
      assert.equal(response.status, 200, response.body.message)
      return String(response.body.data.apiKey)
    },
    async upload(path, file, field = 'file') {
      const form = new FormData()
      form.append(field, new Blob([new Uint8Array(file)]), 'image.bin')
      const response = await fetch(`${cloud.url}/api/console${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      })
      return {
        status: response.status,
        body: (await response.json()) as DeveloperBody,
        headers: response.headers,
      }
    },
  }
}

/** A package name that no other test uses. */
export function newPackageName(): string {
  count += 1
  return `org.example.app${count}`
}

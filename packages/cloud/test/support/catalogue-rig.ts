import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { CloudOverrides } from '../../src/cloud.ts'
import { type Database, openDatabase } from '../../src/db/index.ts'
import type { TestDatabase } from '../../src/db/testing.ts'
import {
  type App,
  type AppRegistration,
  type AppStore,
  InstallStore,
} from '../../src/features/catalogue/index.ts'
import { generateApiKey, type OrganizationStore, type User } from '../../src/identity/index.ts'
import { type LocalCloud, startCloud, type TestRequest, type TestResponse } from './test-cloud.ts'

/** A JSON object of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>

/** A response of the catalogue. */
export type CatalogueResponse = TestResponse<Fields>

/** A client with or without a token. */
export interface Client {
  get(path: string, request?: TestRequest): Promise<CatalogueResponse>
  post(path: string, request?: TestRequest): Promise<CatalogueResponse>
}

/** The client of a signed-in user. */
export interface SignedInUser extends Client {
  readonly user: User
  readonly token: string
}

/** The package names of the rig's system apps. */
export const systemPackages = ['system.one', 'system-two']
/** The package in `API_KEY_PACKAGES`, which may act for users. */
export const trustedPackage = 'trusted.assistant'

/** A running cloud with direct access to its database. */
export interface CatalogueRig {
  readonly cloud: LocalCloud
  readonly apps: AppStore
  readonly installs: InstallStore
  readonly organizations: OrganizationStore
  /** A second connection, to break tables. */
  readonly db: Database
  readonly anonymous: Client
  /** Registers an app, published by default. */
  register(packageName: string, over?: Partial<AppRegistration>): Promise<App>
  /** Creates an API key of an app. */
  keyOf(app: App): Promise<string>
  signIn(email: string): Promise<SignedInUser>
}

/**
 * Starts a cloud on an empty database; the test removes both.
 * @param options.database SQLite by default
 */
export async function createCatalogueRig(
  t: TestContext,
  { database, ...overrides }: CloudOverrides & { readonly database?: TestDatabase } = {},
): Promise<CatalogueRig> {
  const cloud = await startCloud(t, {
    ...(database && { database }),
    env: { SYSTEM_APPS: systemPackages.join(','), API_KEY_PACKAGES: trustedPackage },
    overrides,
  })
  const { apps, apiKeys, organizations, users } = cloud.operator
  const db = await openDatabase({
    dataDir: cloud.env.DATA_DIR ?? '',
    databaseUrl: cloud.env.DATABASE_URL,
  })
  t.after(() => db.destroy())
  const client = (token?: string): Client => ({
    get: (path, request) => cloud.request('GET', path, { token, ...request }),
    post: (path, request) => cloud.request('POST', path, { token, ...request }),
  })
  return {
    cloud,
    apps,
    installs: new InstallStore(cloud.cloud.db),
    organizations,
    db,
    anonymous: client(),
    register: (packageName, over = {}) =>
      apps.register(
        {
          packageName,
          name: packageName,
          publicUrl: 'http://127.0.0.1:9/secret-address',
          appStoreStatus: 'PUBLISHED',
          ...over,
        },
        Date.now(),
      ),
    async keyOf(app) {
      const { key, keyId, signingKey } = generateApiKey()
      await apiKeys.add(app.id, keyId, signingKey, Date.now())
      return key
    },
    async signIn(email) {
      const token = await cloud.token(email)
      const user = await users.findByEmail(email)
      assert.ok(user)
      return { user, token, ...client(token) }
    },
  }
}

/** The entries of a list response. */
export function entries({ status, body }: CatalogueResponse): Fields[] {
  assert.equal(status, 200)
  assert.equal(body.success, true)
  assert.ok(Array.isArray(body.data))
  return body.data
}

/** The package names of a list response. */
export function names(response: CatalogueResponse): string[] {
  return entries(response).map(({ packageName }) => String(packageName))
}

/** The entry of one package in a list. */
export function entryOf(response: CatalogueResponse, packageName: string): Fields {
  const [entry, ...others] = entries(response).filter((candidate) => candidate.packageName === packageName)
  assert.deepEqual(others, [])
  assert.ok(entry, `${packageName} is not in the list`)
  return entry
}

/** The URL of the next page, from the `Link` header. */
export function nextOf({ headers }: CatalogueResponse): string | undefined {
  const link = headers.get('link')
  if (link === null) return undefined
  const target = /^<([^>]+)>; rel="next"$/.exec(link)?.[1]
  assert.ok(target, `invalid Link header: ${link}`)
  return target
}

/** The `data` of a successful response. */
export function dataOf({ status, body }: CatalogueResponse): Fields {
  assert.equal(status, 200)
  assert.equal(body.success, true)
  return body.data as Fields
}

/** Asserts an error response: its status, and a body with nothing but the message. */
export function assertRejected(response: CatalogueResponse, status: number, message: string): void {
  assert.deepEqual(
    { status: response.status, body: response.body },
    { status, body: { success: false, message } },
  )
}

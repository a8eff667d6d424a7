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
import { newApiKey, type OrganizationStore, type User } from '../../src/identity/index.ts'
import { type LocalCloud, startCloud, type TestAnswer, type TestRequest } from './test-cloud.ts'

/** A JSON object of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>

/** An answer of the catalogue. */
export type Answer = TestAnswer<Fields>

/** A caller with a token, or without one. */
export interface Client {
  get(path: string, request?: TestRequest): Promise<Answer>
  post(path: string, request?: TestRequest): Promise<Answer>
}

/** A user of the cloud, signed in. */
export interface SignedInUser extends Client {
  readonly user: User
  readonly token: string
}

/** Package names that the world's cloud has as system apps. */
export const systemPackages = ['system.one', 'system-two']
/** The package that may act for users. */
export const trustedPackage = 'trusted.assistant'

/** A running cloud, and its rows reached beside it. */
export interface CatalogueRig {
  readonly cloud: LocalCloud
  readonly apps: AppStore
  readonly installs: InstallStore
  readonly organizations: OrganizationStore
  /** The tables themselves, to break them. */
  readonly db: Database
  readonly anonymous: Client
  /** Registers an app; published unless it says otherwise. */
  register(packageName: string, over?: Partial<AppRegistration>): Promise<App>
  /** A key of a registered app. */
  keyOf(app: App): Promise<string>
  signIn(email: string): Promise<SignedInUser>
}

/** Starts a cloud on an empty database; both are gone when the test ends. */
export async function createCatalogueRig(
  t: TestContext,
  database: TestDatabase,
  overrides: CloudOverrides = {},
): Promise<CatalogueRig> {
  const cloud = await startCloud(t, {
    database,
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
    installs: new InstallStore(db),
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
      const { key, keyId, hash } = newApiKey()
      await apiKeys.add(app.id, keyId, hash, Date.now())
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

/** The entries of a list. */
export function entries({ status, body }: Answer): Fields[] {
  assert.equal(status, 200)
  assert.equal(body.success, true)
  assert.ok(Array.isArray(body.data))
  return body.data
}

/** The package names of a list. */
export function names(answer: Answer): string[] {
  return entries(answer).map(({ packageName }) => String(packageName))
}

/** The entry of one package in a list. */
export function entryOf(answer: Answer, packageName: string): Fields {
  const [entry, ...others] = entries(answer).filter((candidate) => candidate.packageName === packageName)
  assert.deepEqual(others, [])
  assert.ok(entry, `${packageName} is in the list`)
  return entry
}

/** Where the next part of a list is. */
export function nextOf({ headers }: Answer): string | undefined {
  const link = headers.get('link')
  if (link === null) return undefined
  const target = /^<([^>]+)>; rel="next"$/.exec(link)?.[1]
  assert.ok(target, `a link to the next part: ${link}`)
  return target
}

/** The data of an answer about one thing. */
export function dataOf({ status, body }: Answer): Fields {
  assert.equal(status, 200)
  assert.equal(body.success, true)
  return body.data as Fields
}

/** Checks the whole of a refusal: its status, and a body that holds a message and nothing else. */
export function assertRejected(answer: Answer, status: number, message: string): void {
  assert.deepEqual(
    { status: answer.status, body: answer.body },
    { status, body: { success: false, message } },
  )
}

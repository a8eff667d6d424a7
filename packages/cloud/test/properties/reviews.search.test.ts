import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { eachDatabase } from '../../src/db/testing.ts'
import { createDeveloper, type Developer, newPackageName } from '../support/developer.ts'
import { checkProperty } from '../support/property.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

/** What a review concerns, as the review list shows it. */
interface Manifest {
  readonly permissions: readonly { readonly type: string; readonly description?: string }[]
  readonly publicUrl: string
  readonly webviewURL?: string
  readonly tools: readonly Readonly<Record<string, unknown>>[]
}

const anyPermission = fc.record({
  type: fc.constantFrom('MICROPHONE', 'LOCATION', 'CAMERA'),
  description: fc.constantFrom('to work', 'für “Zwecke”', ' '),
})
const anyTool = fc.record({
  id: fc.constantFrom('note', 'call'),
  description: fc.constantFrom('a', 'b\u2028'),
})
const anyUrl = fc.constantFrom('https://one.example.org', 'https://two.example.org/App')

const anyEdit = fc.record(
  {
    permissions: fc.uniqueArray(anyPermission, { selector: ({ type }) => type, maxLength: 3 }),
    publicUrl: anyUrl,
    webviewURL: fc.oneof(fc.constant(''), anyUrl),
    tools: fc.uniqueArray(anyTool, { selector: ({ id }) => id, maxLength: 2 }),
    name: fc.constantFrom('One', 'Two'),
    appStoreStatus: fc.constantFrom('DEVELOPMENT', 'PUBLISHED'),
  },
  { requiredKeys: [] },
)

const anyStep = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('edit' as const), changes: anyEdit }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('publish' as const, 'unpublish' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('approve' as const, 'reject' as const),
      /** How many revisions before the one that was listed last. */
      age: fc.constantFrom(0, 0, 0, 1, 2),
    }),
  },
)
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never

/** An app, what its reviewers were shown, and what they approved. */
class Run {
  readonly #cloud: LocalCloud
  readonly #admin: string
  readonly #developer: Developer
  readonly #packageName: string
  readonly #shown = new Map<string, Manifest>()
  #approved: Manifest[] = []

  constructor(cloud: LocalCloud, admin: string, developer: Developer, packageName: string) {
    this.#cloud = cloud
    this.#admin = admin
    this.#developer = developer
    this.#packageName = packageName
  }

  /** Takes steps at the same time. */
  async take(steps: readonly Step[]): Promise<void> {
    await this.#list()
    const approvals = await Promise.all(steps.map((step) => this.#takeOne(step)))
    const approved = approvals.filter((manifest) => manifest !== undefined)
    if (approved.length > 0) this.#approved = approved
  }

  async #takeOne(step: Step): Promise<Manifest | undefined> {
    const path = `/apps/${this.#packageName}`
    if (step.kind === 'edit') await this.#developer.call('PATCH', path, step.changes)
    else if (!('age' in step)) await this.#developer.call('POST', `${path}/${step.kind}`)
    else {
      const revision = [...this.#shown.keys()].at(-1 - step.age) ?? 'none'
      const { status } = await this.#cloud.request('POST', `/api/admin${path}/${step.kind}`, {
        token: this.#admin,
        body: { revision, notes: 'Decided' },
      })
      if (step.kind === 'approve' && status === 200) return this.#shown.get(revision)
    }
    return undefined
  }

  /** Reads the review list, as a reviewer does. */
  async #list(): Promise<void> {
    const { body } = await this.#cloud.request<{
      data: (Manifest & { packageName: string; revision: string })[]
    }>('GET', '/api/admin/apps?limit=200', { token: this.#admin })
    const listed = body.data.find(({ packageName }) => packageName === this.#packageName)
    if (listed === undefined) return
    this.#shown.delete(listed.revision)
    this.#shown.set(listed.revision, listed)
  }

  /** What another user has is an approved revision, or less. */
  async check(): Promise<void> {
    const { catalogue } = this.#cloud.cloud.features.catalogue
    await this.#cloud.token('stranger@example.org')
    const stranger = await this.#cloud.operator.users.findByEmail('stranger@example.org')
    assert.ok(stranger)
    const app = await catalogue.findFor(stranger, this.#packageName)
    assert.ok(app)
    const shown = await catalogue.findAny(this.#packageName)
    const granted = { permissions: shown?.permissions ?? [], tools: app.tools }
    const isVisible = (await catalogue.find(this.#packageName, undefined)) !== undefined
    if (this.#approved.length === 0) {
      assert.equal(isVisible, false)
      const { publicUrl, webviewUrl } = app
      const nothing = { permissions: [], tools: [], publicUrl: '', webviewUrl: null }
      return assert.deepEqual({ ...granted, publicUrl, webviewUrl }, nothing)
    }
    const sources = this.#approved.filter(
      (approved) =>
        approved.publicUrl === app.publicUrl &&
        (approved.webviewURL ?? null) === app.webviewUrl &&
        granted.tools.every((tool) => includes(approved.tools, tool)) &&
        granted.permissions.every(
          (permission) =>
            includes(approved.permissions, permission) ||
            (permission.description === undefined &&
              approved.permissions.some(({ type }) => type === permission.type)),
        ),
    )
    assert.notEqual(sources.length, 0, `${JSON.stringify(app)} was not approved`)
  }
}

function includes(list: readonly object[], entry: object): boolean {
  return list.some((one) => JSON.stringify(one) === JSON.stringify(entry))
}

eachDatabase((database) => {
  const scope = suiteScope()
  let cloud: LocalCloud
  let admin: string

  before(async () => {
    cloud = await startCloud(scope, { database, env: { APP_REVIEW: 'on', REST_LIMIT_PER_MINUTE: '1000000' } })
    admin = await cloud.token('admin@example.org')
    const user = await cloud.operator.users.findByEmail('admin@example.org')
    assert.ok(user)
    await cloud.operator.users.setAdministrator(user.id, true, Date.now())
  })

  test('TRU-8: what is approved is what was reviewed, byte for byte', async () => {
    const group = fc.array(anyStep, { minLength: 1, maxLength: 3 })
    const property = fc.asyncProperty(fc.array(group, { minLength: 3, maxLength: 12 }), async (groups) => {
      const developer = await createDeveloper(cloud, 'developer')
      const packageName = newPackageName()
      await developer.create(packageName, { appStoreStatus: 'PUBLISHED' })
      const run = new Run(cloud, admin, developer, packageName)
      for (const steps of groups) {
        await run.take(steps)
        await run.check()
      }
      await developer.call('DELETE', `/apps/${packageName}`)
    })
    await checkProperty(property, { runs: 20 })
  })
})

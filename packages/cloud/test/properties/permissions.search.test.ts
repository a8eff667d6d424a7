import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { PermissionType } from '@glasses-cloud/contract'
import fc from 'fast-check'
import { eachDatabase } from '../../src/db/testing.ts'
import { type DevelopedApp, developApp, type StartedApp, Wearer } from '../support/permission-rig.ts'
import { checkProperty } from '../support/property.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const TYPES = ['MICROPHONE', 'LOCATION'] as const satisfies readonly PermissionType[]
type Type = (typeof TYPES)[number]

const STREAMS = { MICROPHONE: 'transcription:en-US', LOCATION: 'location_update' } as const

const anyTypes = fc.subarray([...TYPES])
/** 0 is the developer of the app. */
const anyUser = fc.constantFrom(0, 1)

/** A step; those that are not possible are rejected and change nothing. */
const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('edit' as const), types: anyTypes }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('publish', 'unpublish', 'approve', 'reject') }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('install', 'uninstall', 'start', 'stop'),
      user: anyUser,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('accept' as const), user: anyUser, types: anyTypes }),
  },
)

/** The model of a user. */
interface UserModel {
  readonly isOwner: boolean
  isInstalled: boolean
  /** The accepted permissions, with the first utterance that each applies to; undefined before the first use. */
  accepted: Map<Type, number> | undefined
}

/** What the rules say: who has which permission. */
class Model {
  declared: readonly Type[] = []
  approved: readonly Type[] = []
  status: 'DEVELOPMENT' | 'SUBMITTED' | 'REJECTED' | 'PUBLISHED' = 'SUBMITTED'
  /** The number of the next utterance. */
  spoken = 0
  readonly users: readonly UserModel[] = [0, 1].map((user) => ({
    isOwner: user === 0,
    isInstalled: false,
    accepted: undefined,
  }))

  /** The permissions that the user is shown. */
  formFor(user: UserModel): readonly Type[] {
    return user.isOwner ? this.declared : this.declared.filter((type) => this.approved.includes(type))
  }

  isVisibleTo({ isOwner, isInstalled }: UserModel): boolean {
    return isOwner || isInstalled || this.status === 'PUBLISHED'
  }

  has(user: UserModel, type: Type): boolean {
    return this.formFor(user).includes(type) && user.accepted?.has(type) === true
  }

  edit(types: readonly Type[]): void {
    const isChanged =
      types.length !== this.declared.length || types.some((one) => !this.declared.includes(one))
    if (this.status === 'SUBMITTED' && isChanged) return
    for (const { accepted } of this.users)
      for (const type of TYPES) if (!types.includes(type)) accepted?.delete(type)
    this.declared = types
    const isApproved = types.every((type) => this.approved.includes(type))
    // Nothing is approved before the first approval.
    if (this.status === 'PUBLISHED' && !isApproved) this.status = 'SUBMITTED'
  }

  acceptFirst(user: UserModel): void {
    user.accepted ??= new Map(this.formFor(user).map((type) => [type, 0]))
  }

  accept(user: UserModel, types: readonly Type[]): void {
    user.accepted ??= new Map()
    for (const type of types) if (!user.accepted.has(type)) user.accepted.set(type, this.spoken)
  }
}

/** A step, as generated. */
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never

/** The cloud and its model, in step. */
class Run {
  readonly #cloud: LocalCloud
  readonly #admin: string
  readonly #app: DevelopedApp
  readonly #wearers: readonly Wearer[]
  readonly #model = new Model()
  readonly #running = new Map<number, StartedApp>()

  constructor(cloud: LocalCloud, admin: string, app: DevelopedApp, wearers: readonly Wearer[]) {
    this.#cloud = cloud
    this.#admin = admin
    this.#app = app
    this.#wearers = wearers
  }

  async take(step: Step): Promise<void> {
    const model = this.#model
    const { developer, packageName } = this.#app
    switch (step.kind) {
      case 'edit': {
        const permissions = step.types.map((type) => ({ type }))
        await developer.call('PATCH', `/apps/${packageName}`, { permissions })
        return model.edit(step.types)
      }
      case 'publish':
      case 'unpublish':
        await developer.call('POST', `/apps/${packageName}/${step.kind}`)
        if (step.kind === 'unpublish') model.status = 'DEVELOPMENT'
        else if (model.status !== 'PUBLISHED') model.status = 'SUBMITTED'
        return
      case 'approve':
      case 'reject':
        await this.#decide(step.kind)
        if (model.status !== 'SUBMITTED') return
        model.status = step.kind === 'approve' ? 'PUBLISHED' : 'REJECTED'
        if (step.kind === 'approve') model.approved = model.declared
    }
    if ('user' in step) await this.#act(step)
  }

  async #decide(verb: string): Promise<void> {
    const { developer, packageName } = this.#app
    const { revision } = (await developer.call('GET', `/apps/${packageName}`)).body.data
    const body = { revision, notes: 'Decided' }
    await this.#cloud.request('POST', `/api/admin/apps/${packageName}/${verb}`, { token: this.#admin, body })
  }

  async #act(step: Extract<Step, { user: number }>): Promise<void> {
    const model = this.#model
    const { user: index, kind } = step
    const [user, wearer] = [model.users[index], this.#wearers[index]]
    assert.ok(user && wearer)
    const { packageName } = this.#app
    const post = async (path: string) =>
      (await this.#cloud.request('POST', `/api/apps/${path}`, { token: wearer.token })).status
    if (kind === 'accept') {
      const types = 'types' in step ? step.types : []
      const isValid = model.isVisibleTo(user) && types.length > 0
      const isDeclared = types.every((type) => model.formFor(user).includes(type))
      const status = await wearer.accept(this.#app, types)
      assert.equal(status === 200, isValid && isDeclared)
      if (status === 200) model.accept(user, types)
    } else if (kind === 'install') {
      const isPossible = model.isVisibleTo(user) && !user.isInstalled
      assert.equal((await post(`install/${packageName}`)) === 200, isPossible)
      if (!isPossible) return
      model.acceptFirst(user)
      model.accept(user, model.formFor(user))
      user.isInstalled = true
    } else if (kind === 'uninstall') {
      assert.equal((await post(`uninstall/${packageName}`)) === 200, user.isInstalled)
      if (!user.isInstalled) return
      user.isInstalled = false
      user.accepted = undefined
      this.#running.delete(index)
    } else if (kind === 'start' && !this.#running.has(index) && model.isVisibleTo(user)) {
      model.acceptFirst(user)
      const started = await wearer.start(this.#app)
      await started.subscribe(...Object.values(STREAMS))
      this.#running.set(index, started)
    } else if (kind === 'stop' && this.#running.delete(index)) await wearer.stop(this.#app)
  }

  /** Every user speaks and moves; each app receives what it may receive, and its transcript has nothing else. */
  async check(): Promise<void> {
    const model = this.#model
    const at = model.spoken
    model.spoken += 1
    for (const [index, started] of this.#running) {
      const [user, wearer] = [model.users[index], this.#wearers[index]]
      assert.ok(user && wearer)
      const before = TYPES.map((type) => started.received(STREAMS[type]).length)
      wearer.glasses.send({ type: 'location_update', lat: at, lng: index })
      await wearer.speak(`utterance ${at}`)
      await started.flush()
      const received = TYPES.map((type, i) => started.received(STREAMS[type]).length - (before[i] ?? 0))
      assert.deepEqual(
        received,
        TYPES.map((type) => Number(model.has(user, type))),
        `frames of ${TYPES.join(' and ')} for user ${index}`,
      )
      const transcript = await started.transcript()
      if (!model.has(user, 'MICROPHONE')) assert.equal(transcript, 403)
      else {
        const since = user.accepted?.get('MICROPHONE') ?? 0
        assert.ok(Array.isArray(transcript) && transcript.includes(`utterance ${at}`))
        const early = transcript.filter((text) => Number(text.split(' ')[1]) < since)
        assert.deepEqual(early, [], `transcripts from before utterance ${since} for user ${index}`)
      }
    }
  }
}

eachDatabase((database) => {
  const scope = suiteScope()
  let cloud: LocalCloud
  let admin: string
  let runs = 0

  before(async () => {
    cloud = await startCloud(scope, { database, env: { APP_REVIEW: 'on', REST_LIMIT_PER_MINUTE: '1000000' } })
    admin = await cloud.token('admin@example.org')
    const user = await cloud.operator.users.findByEmail('admin@example.org')
    assert.ok(user)
    await cloud.operator.users.setAdministrator(user.id, true, Date.now())
  })

  test('TRU-1: no app receives data of a permission that is not approved and accepted', async () => {
    const property = fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 25 }), async (steps) => {
      runs += 1
      const undo: (() => unknown)[] = []
      const inner = { after: (task: () => unknown) => void undo.push(task) }
      try {
        const app = await developApp(inner, cloud)
        const wearers = [
          await Wearer.connect(inner, cloud, app.developer.email),
          await Wearer.connect(inner, cloud, `wearer-${runs}@example.org`),
        ]
        const run = new Run(cloud, admin, app, wearers)
        for (const step of steps) {
          await run.take(step)
          await run.check()
        }
      } finally {
        for (const task of undo.reverse()) await task()
      }
    })
    await checkProperty(property, { runs: 8 })
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { AuditAction } from '@glasses-cloud/contract'
import fc from 'fast-check'
import { toJson } from '../../src/db/index.ts'
import { eachDatabase } from '../../src/db/testing.ts'
import type { ModelManifest } from '../../src/features/speech-models/index.ts'
import { type Endpoint, urlsOf } from '../../src/http/endpoint.ts'
import { createDeveloper, type Developer, newPackageName } from '../support/developer.ts'
import { checkProperty } from '../support/property.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

/** What a sequence of requests has made so far. */
interface World {
  readonly administrators: Developer[]
  readonly users: Developer[]
  readonly packages: string[]
  readonly invitations: string[]
  /** An incident with a file: its id and that of the file. */
  readonly incident: readonly [string, string]
  /** The app that an administrator owns. */
  readonly ownPackage: string
  /** Ids of installed speech models. */
  readonly models: readonly string[]
}

interface Sent {
  /** The path of the endpoint with parameters, which names it. */
  readonly endpoint: string
  readonly path: string
  readonly body?: unknown
  readonly token?: string
}

/** Makes a request of an administrator; the numbers choose among what exists. */
type Step = (world: World, choice: number) => Sent

const pick = <Value>(values: readonly Value[], choice: number): Value | undefined =>
  values[choice % values.length]
const userId = ({ users }: World, choice: number) => pick(users, choice)?.id ?? 'nobody'
/** Values of which most are valid. */
const reasons = [{}, { reason: 'Abuse' }, { reason: '\0' }, { reason: 7 }]

const user =
  (method: string, rest: string, bodies: readonly unknown[] = [undefined]): Step =>
  (world, choice) => ({
    endpoint: `${method} /api/admin/users/:userId${rest}`,
    path: `/api/admin/users/${userId(world, choice)}${rest}`,
    body: pick(bodies, choice >> 3),
  })

const reading =
  (path: string, query = ''): Step =>
  () => ({ endpoint: `GET ${path}`, path: `${path}${query}` })

const review =
  (verb: string, bodies: readonly unknown[]): Step =>
  ({ packages }, choice) => ({
    endpoint: `POST /api/admin/apps/:packageName/${verb}`,
    path: `/api/admin/apps/${pick(packages, choice) ?? 'no.such.app'}/${verb}`,
    body: pick(bodies, choice >> 3),
  })

const APP_CHANGES = [
  { featured: true },
  { featured: false },
  { description: 'x', featured: true, appType: 'SYSTEM_DASHBOARD' },
  { appType: 'BACKGROUND' },
  { description: 'y' },
  { featured: 'no' },
]

/** A speech model of the catalogue, whose files cannot be reached. */
const LISTED_MODEL: ModelManifest = {
  id: 'listed',
  name: 'Listed',
  kind: 'recognizer',
  architecture: 'zipformer-ctc',
  languages: ['en'],
  detectsLanguage: false,
  memoryBytes: 1,
  license: { name: 'MIT', url: 'https://example.org/license' },
  source: 'https://example.org/model',
  files: ['model', 'tokens'].map((role) => ({
    name: role,
    role,
    url: `http://127.0.0.1:9/${role}`,
    bytes: 1,
  })),
}

/** Every endpoint that declares actions of the audit log, and some that do not. */
const steps: Readonly<Record<string, Step>> = {
  suspend: user('POST', '/suspend', reasons),
  reinstate: user('POST', '/reinstate'),
  appoint: user('PUT', '/administrator', [{ isAdministrator: true }, { isAdministrator: false }, {}]),
  delete: user('DELETE', ''),
  endSession: (world, choice) => ({
    endpoint: 'DELETE /api/admin/sessions/:userId',
    path: `/api/admin/sessions/${userId(world, choice)}`,
  }),
  users: reading('/api/admin/users'),
  sessions: reading('/api/admin/sessions'),
  stream: reading('/api/admin/stream', '?seconds=0'),
  reports: reading('/api/admin/reports', '?limit=2'),
  manyReports: reading('/api/admin/reports', '?limit=0'),
  incidents: reading('/api/admin/incidents'),
  settings: reading('/api/admin/settings'),
  file: ({ incident }, choice) => ({
    endpoint: 'GET /api/admin/incidents/:incidentId/attachments/:attachmentId',
    path: `/api/admin/incidents/${incident[0]}/attachments/${choice % 4 === 0 ? 'unknown' : incident[1]}`,
  }),
  approve: review('approve', [{}, { notes: 'Fine' }, { notes: 7 }]),
  reject: review('reject', [{ notes: 'No' }, {}]),
  invite: (_, choice) => ({
    endpoint: 'POST /api/auth/invitations',
    path: '/api/auth/invitations',
    body: pick([{}, { email: `guest-${choice}@example.org` }, { email: 'nobody' }], choice),
  }),
  withdraw: ({ invitations }, choice) => ({
    endpoint: 'DELETE /api/auth/invitations/:id',
    path: `/api/auth/invitations/${pick(invitations, choice) ?? 'unknown'}`,
  }),
  installModel: (_, choice) => ({
    endpoint: 'POST /api/admin/speech-models',
    path: '/api/admin/speech-models',
    body: pick(
      [{ id: LISTED_MODEL.id }, { id: 'unknown' }, { url: 'http://127.0.0.1:9/model.json' }, {}],
      choice,
    ),
  }),
  cancelModel: (_, choice) => ({
    endpoint: 'POST /api/admin/speech-models/:id/cancel',
    path: `/api/admin/speech-models/${pick([LISTED_MODEL.id, 'unknown'], choice)}/cancel`,
  }),
  removeModel: ({ models }, choice) => ({
    endpoint: 'DELETE /api/admin/speech-models/:id',
    path: `/api/admin/speech-models/${pick([...models, 'unknown'], choice)}`,
  }),
  changeApp: ({ ownPackage }, choice) => ({
    endpoint: 'PATCH /api/console/apps/:packageName',
    path: `/api/console/apps/${ownPackage}`,
    body: pick(APP_CHANGES, choice),
  }),
  createApp: (_, choice) => ({
    endpoint: 'POST /api/console/apps',
    path: '/api/console/apps',
    body: {
      packageName: pick(['system.one', newPackageName()], choice),
      name: 'App',
      publicUrl: 'http://127.0.0.1:9',
      ...pick([{}, { featured: true }, { appType: 'SYSTEM_DASHBOARD' }, { name: '' }], choice >> 1),
    },
  }),
}

/** Endpoints of developers, whose requests are acts of administrators only if they change certain fields. */
function isAdministrative({ endpoint, body }: Sent, before: Record<string, unknown> | undefined): boolean {
  const { packageName, featured, appType } = (body ?? {}) as Record<string, unknown>
  if (endpoint === 'POST /api/console/apps')
    return packageName === 'system.one' || featured === true || appType === 'SYSTEM_DASHBOARD'
  if (endpoint !== 'PATCH /api/console/apps/:packageName') return true
  return (
    (featured !== undefined && featured !== before?.featured) ||
    (appType === 'SYSTEM_DASHBOARD' && appType !== before?.appType)
  )
}

eachDatabase((database) => {
  describe('acts of administrators', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    let modelCount = 0
    let declared: ReadonlyMap<string, readonly AuditAction[]>

    before(async () => {
      const env = { APP_REVIEW: 'on', SYSTEM_APPS: 'system.one' }
      cloud = await startCloud(scope, { database, env, overrides: { speechModels: [LISTED_MODEL] } })
      const nameOf = (endpoint: Endpoint) => `${endpoint.method} ${urlsOf(endpoint)[0]}`
      declared = new Map(cloud.cloud.server.endpoints.map((each) => [nameOf(each), each.audited ?? []]))
    })

    const send = <Body>({ endpoint, path, body }: Sent, token: string) =>
      cloud.request<Body>(endpoint.split(' ', 1)[0] ?? '', path, { token, body })
    const entries = () => cloud.cloud.db.selectFrom('audit_log').selectAll().orderBy('id').execute()

    async function createWorld(): Promise<World> {
      const administrators = await Promise.all(['root', 'vice'].map((name) => createDeveloper(cloud, name)))
      for (const { id } of administrators) await cloud.operator.users.setAdministrator(id, true, Date.now())
      const users = await Promise.all(['a', 'b', 'c'].map((name) => createDeveloper(cloud, name)))
      const [root] = administrators
      const [first] = users
      assert.ok(root && first)
      const packages = [newPackageName(), newPackageName()]
      for (const packageName of packages) {
        await first.create(packageName)
        await first.call('POST', `/apps/${packageName}/publish`)
      }
      const ownPackage = newPackageName()
      await root.create(ownPackage)
      const { id: reporter, token } = pick(users, 2) ?? first
      await cloud.request('POST', '/api/client/feedback', { token, body: { feedback: 'x' } })
      const { incidents } = cloud.cloud.features.incidents
      const incidentId = await incidents.report(reporter, { feedback: 'x' })
      const content = (async function* () {
        yield Buffer.from('x')
      })()
      await incidents.attach(reporter, incidentId, { filename: 'x', mimeType: 'text/plain', content })
      const file = await cloud.cloud.db
        .selectFrom('incident_files')
        .select('id')
        .where('incident_id', '=', incidentId)
        .executeTakeFirstOrThrow()
      const models = ['a', 'b'].map((name) => `${name}-${modelCount++}`)
      for (const id of models)
        await cloud.cloud.db
          .insertInto('speech_models')
          .values({ id, install_id: id, manifest: toJson({ ...LISTED_MODEL, id }), installed_at: Date.now() })
          .execute()
      const incident = [incidentId, file.id] as const
      return { administrators, users, packages, invitations: [], incident, ownPackage, models }
    }

    /** Sends the request of an administrator, and checks what it left. */
    async function sendAndCheck(world: World, actor: Developer, sent: Sent): Promise<void> {
      const known = new Set((await entries()).map(({ id }) => id))
      const app = await cloud.operator.apps.findByPackage(world.ownPackage)
      const { status, body } = await send<Record<string, unknown>>(sent, actor.token)
      const left = (await entries()).filter(({ id }) => !known.has(id))
      const actions = declared.get(sent.endpoint)
      assert.ok(actions, sent.endpoint)
      const isAudited = status < 400 && actions.length > 0 && isAdministrative(sent, app && { ...app })
      const shown = `${sent.endpoint} ${JSON.stringify(sent.body)} returned ${status}`
      assert.equal(left.length, isAudited ? 1 : 0, shown)
      const [entry] = left
      if (entry === undefined) return
      assert.ok(actions.includes(entry.action as AuditAction), shown)
      assert.equal(entry.actor_id, actor.id)
      assert.equal(entry.outcome, 'done')
      if (entry.action === 'invitation.create') world.invitations.push(String(body.id))
    }

    test('TRU-10: each leaves exactly one entry if it succeeds, and none otherwise', async () => {
      const step = fc.record({
        name: fc.constantFrom(...Object.keys(steps)),
        choice: fc.nat({ max: 255 }),
        actor: fc.nat({ max: 1 }),
      })
      await checkProperty(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30, size: 'max' }), async (sequence) => {
          const world = await createWorld()
          for (const { name, choice, actor } of sequence) {
            const administrator = pick(world.administrators, actor)
            const request = steps[name]?.(world, choice)
            assert.ok(administrator && request)
            await sendAndCheck(world, administrator, request)
          }
          const gone = new Set<string>()
          for (const { id, email } of world.users)
            if ((await cloud.operator.users.findById(id)) === undefined) gone.add(id).add(email)
          const log = JSON.stringify(await entries())
          for (const name of gone) assert.ok(!log.includes(name), `${name} is deleted, and in the log`)
        }),
        { runs: 6 },
      )
    })

    test('TRU-10: of parallel requests each leaves one entry', async () => {
      const step = fc.record({ name: fc.constantFrom(...Object.keys(steps)), choice: fc.nat({ max: 255 }) })
      await checkProperty(
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8, size: 'max' }), async (sequence) => {
          const world = await createWorld()
          const [root] = world.administrators
          assert.ok(root)
          const ownApp = '/api/console/apps/:packageName'
          const requests = sequence
            .flatMap(({ name, choice }) => steps[name]?.(world, choice) ?? [])
            // Whether these are acts of administrators depends on their order.
            .filter(({ endpoint }) => endpoint !== `PATCH ${ownApp}`)
          const known = new Set((await entries()).map(({ id }) => id))
          const responses = await Promise.all(requests.map((request) => send(request, root.token)))
          const left = (await entries()).filter(({ id, outcome }) => !known.has(id) && outcome === 'done')
          const expected = requests.filter((request, index) => {
            const { status = 500 } = responses[index] ?? {}
            return (
              status < 400 && declared.get(request.endpoint)?.length !== 0 && isAdministrative(request, {})
            )
          })
          assert.equal(
            left.length,
            expected.length,
            requests.map(({ endpoint }, index) => `${endpoint} ${responses[index]?.status}`).join('\n'),
          )
        }),
        { runs: 6 },
      )
    })

    test('TRU-10: the property sends every request that declares an action', () => {
      const world: World = {
        ...{
          administrators: [],
          users: [],
          packages: [],
          invitations: [],
          incident: ['', ''],
          ownPackage: '',
          models: [],
        },
      }
      const sent = new Set(Object.values(steps).map((step) => step(world, 0).endpoint))
      const missing = [...declared].filter(([name, actions]) => actions.length > 0 && !sent.has(name))
      assert.deepEqual(
        missing.map(([name]) => name),
        [],
      )
    })
  })
})

import { readFile } from 'node:fs/promises'
import { Glasses } from '@glasses-cloud/phone'
import { findFreePort } from '../../../src/http/free-port.ts'
import type { Scope } from '../../support/scope.ts'
import { SdkApp } from '../../support/sdk-app.ts'
import type { LocalCloud, TestManifest } from '../../support/test-cloud.ts'

/** The administrator of the pictured cloud. */
export const email = 'ada@example.org'
export const captions = 'dev.example.captions'
export const organization = 'glasses-lab'

const CAMERA = 'dev.example.camera'
const SAMPLE_APPS = ['captions', 'camera', 'notebook', 'dashboard']
const PHOTOS = 6
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Apps of other developers, which fill the store. */
const OTHER_APPS: readonly (readonly [name: string, description: string, permissions: readonly string[]])[] =
  [
    ['Recipe reader', 'Reads recipes step by step while your hands are busy.', ['MICROPHONE']],
    ['Trail compass', 'Direction, altitude and distance on your hikes.', ['LOCATION']],
    ['Flash cards', 'Vocabulary between two bus stops.', []],
    ['Teleprompter', 'Your speech at your pace.', ['MICROPHONE']],
    ['Bird names', 'Names the bird that you photograph.', ['CAMERA', 'LOCATION']],
    ['Next meeting', 'What is next in your calendar, and where.', ['CALENDAR']],
  ]

/** Starts the sample apps, whose developer is the administrator, and registers apps of others. */
export async function registerApps(cloud: LocalCloud, scope: Scope): Promise<void> {
  for (const app of SAMPLE_APPS) {
    const manifest = JSON.parse(
      await readFile(new URL(`../../../../../apps/${app}/manifest.json`, import.meta.url), 'utf8'),
    )
    const port = await findFreePort()
    const publicUrl = `http://127.0.0.1:${port}`
    const registered = await cloud.registerApp({ ...manifest, publicUrl, webviewURL: '', developerId: email })
    await SdkApp.start(scope, { app, ...registered, port })
  }
  for (const [name, description, permissions] of OTHER_APPS) {
    const packageName = `org.example.${name.toLowerCase().replaceAll(' ', '-')}`
    const manifest = { packageName, name, description, permissions: permissions.map((type) => ({ type })) }
    await cloud.registerApp(manifest as TestManifest)
  }
}

/** Takes photos, runs apps, and files reports, reviews and invitations, so that the pages have something to show. */
export async function useCloud(cloud: LocalCloud, scope: Scope): Promise<void> {
  const token = await cloud.token(email)
  const call = async (method: string, path: string, body: unknown, as = token) => {
    const response = await cloud.request(method, path, { token: as, body })
    if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(response.body)}`)
  }
  await call('POST', '/api/console/orgs', { slug: organization, name: 'Glasses Lab' })
  await call('POST', `/api/console/orgs/${organization}/members`, {
    email: 'grace@example.org',
    role: 'member',
  })
  await call('POST', '/api/auth/invitations', { email: 'guest@example.org' })
  await takePhotos(cloud, token)

  const others = ['grace@example.org', 'hedy@example.org', 'radia@example.org']
  const [grace = '', hedy = '', radia = ''] = await Promise.all(others.map((other) => cloud.token(other)))
  const app = { packageName: 'org.example.finder', name: 'Finder', publicUrl: 'https://finder.example.org' }
  const permissions = [{ type: 'CAMERA', description: 'To find your keys' }]
  await call('POST', '/api/console/apps', { ...app, permissions, appStoreStatus: 'PUBLISHED' }, grace)
  await call('POST', '/api/client/feedback', { feedback: 'The captions lag behind on the train.' }, hedy)
  await call('POST', '/api/incidents', { feedback: 'The display stayed dark after a call.' }, radia)
  for (const other of [hedy, radia]) {
    const glasses = new Glasses({ url: cloud.url, token: other, model: 'Even Realities G1' })
    await glasses.connect()
    scope.after(() => glasses.disconnect())
  }
  await storeMeasurements(cloud)
  await storeUsage(cloud)
}

async function takePhotos(cloud: LocalCloud, token: string): Promise<void> {
  const glasses = new Glasses({ url: cloud.url, token, model: 'Mentra Live' })
  await glasses.connect()
  for (const name of [captions, CAMERA, 'dev.example.notebook']) await glasses.api.install(name)
  await glasses.api.startApp(CAMERA)
  for (let count = 1; count <= PHOTOS; count += 1) {
    glasses.pressButton()
    await glasses.waitForMessage('photo_request')
    await waitForPhotos(cloud, token, count)
  }
  await glasses.disconnect()
}

async function waitForPhotos(cloud: LocalCloud, token: string, count: number): Promise<void> {
  for (;;) {
    const { body } = await cloud.request<{ photos: unknown[] }>('GET', '/api/gallery', { token })
    if (body.photos.length >= count) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Stores an hour of measurements of this node. */
async function storeMeasurements(cloud: LocalCloud): Promise<void> {
  const now = Math.floor(Date.now() / MINUTE_MS)
  const values = Array.from({ length: 55 }, (_, index) => {
    const wave = Math.sin(index / 9) + 1
    const sample = JSON.stringify({
      sessions: Math.round(10 + 6 * wave),
      glassesSockets: Math.round(10 + 6 * wave),
      appSockets: Math.round(22 + 11 * wave),
      requests: Math.round(300 + 180 * wave),
      failedRequests: index === 30 ? 9 : 0,
      slowRequests: index % 11 === 0 ? 1 : 0,
      processors: 0.1 + 0.2 * wave,
      eventLoop: 0.05 + 0.1 * wave,
      memoryBytes: (180 + index) * 1024 ** 2,
    })
    return { node: cloud.cloud.config.node.name, minute: now - 60 + index, sample }
  })
  await cloud.cloud.db.insertInto('node_samples').values(values).execute()
}

/** Stores what happened to a node within the hour, and a month of use of an app. */
async function storeUsage(cloud: LocalCloud): Promise<void> {
  const { db } = cloud.cloud
  const now = Date.now()
  const events = [
    ['lost', 41, '1.3.0'],
    ['restarted', 40, '1.3.0'],
    ['stopped', 15, '1.3.0'],
    ['deployed', 14, '1.4.0'],
  ] as const
  await db
    .insertInto('node_events')
    .values(
      events.map(([kind, minutes, version]) => {
        return { id: kind, at: now - minutes * MINUTE_MS, node: 'node-1', kind, version }
      }),
    )
    .execute()
  const app = await db
    .selectFrom('apps')
    .select('id')
    .where('package_name', '=', captions)
    .executeTakeFirstOrThrow()
  const today = Math.floor(now / DAY_MS)
  await db
    .insertInto('app_usage')
    .values(
      Array.from({ length: 28 }, (_, index) => {
        const sessions = Math.round(20 + 9 * Math.sin(index / 3) + index / 2)
        return { app_id: app.id, day: today - 29 + index, sessions, errors: index === 17 ? 14 : index % 3 }
      }),
    )
    .execute()
  await db
    .insertInto('app_events')
    .values([
      { app_id: app.id, at: now - 27 * DAY_MS, kind: 'submitted' },
      { app_id: app.id, at: now - 26 * DAY_MS, kind: 'published' },
      { app_id: app.id, at: now - 12 * DAY_MS, kind: 'server_down' },
      { app_id: app.id, at: now - 12 * DAY_MS + 50 * MINUTE_MS, kind: 'server_up' },
    ])
    .execute()
}

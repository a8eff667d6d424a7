import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { drawPicture } from '@glasses-cloud/phone'
import { sql } from 'kysely'
import { oneChunk } from '../../src/blobs/index.ts'
import type { Cloud } from '../../src/cloud.ts'
import { AcceptanceStore } from '../../src/features/catalogue/acceptance-store.ts'
import { AppActivityStore, InstallStore } from '../../src/features/catalogue/index.ts'
import { SettingsStore } from '../../src/features/settings/index.ts'
import { StorageStore } from '../../src/features/simple-storage/index.ts'
import { LiveStreamStore } from '../../src/features/video/live-stream-store.ts'
import { InvitationStore } from '../../src/identity/index.ts'
import { RunningAppStore, UserSessionStore } from '../../src/session-host/index.ts'
import type { LocalCloud } from './test-cloud.ts'

/** A user with one of everything that the cloud stores about users. */
export interface UserWithData {
  readonly id: string
  readonly email: string
  readonly token: string
  /** The app owned only by this user. */
  readonly ownPackage: string
}

/** Creates a user with a row in every table and a blob of every kind. A feature that stores more data adds it here. */
export async function createUserWithData(local: LocalCloud, email: string): Promise<UserWithData> {
  const { cloud, operator } = local
  const { features } = cloud
  const now = Date.now()
  const token = await local.token(email)
  const user = await operator.users.findByEmail(email)
  assert.ok(user)
  const { id } = user
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await local.request<Record<string, string>>(method, `/api/account/${path}`, {
      token,
      body,
    })
    assert.equal(response.status, 200, path)
    return response.body
  }
  const name = email.replaceAll(/[^a-z]/g, '-')

  await call('PUT', 'profile', {
    name: 'A. Person',
    displayName: '=1+1',
    phoneNumber: '+44 20',
    city: 'London',
  })
  await call('PUT', 'privacy', { allowDataCollection: true })
  const expiresAt = now + 86_400_000
  await cloud.personalTokens.create({ userId: id, name: `of ${email}`, scopes: ['account'], expiresAt })

  await addAccountData(cloud, id, email, now)

  const settings = new SettingsStore(cloud.db)
  await settings.mergeUserSettings(id, { brightness: 70, flags: { a: [1, null], b: 'x,"y"\r\nz' } }, now)
  for (const packageName of ['common.one', 'common.two']) {
    await local.registerApp({ packageName, name: packageName })
    const app = await operator.apps.findByPackage(packageName)
    assert.ok(app)
    await new InstallStore(cloud.db).install(id, app.id, now)
    await new AcceptanceStore(cloud.db).acceptFirst(id, app, ['CAMERA'], now)
    await new AppActivityStore(cloud.db).touchLastActive(id, app.id, now)
    await new RunningAppStore(cloud.db).setRunning(id, packageName, now)
    await features.phone.onboardings.complete(id, app.id, now)
    await features.webview.webviewTokens.issue(user, app, undefined)
    await settings.putAppSettings(id, app.id, { size: 'big', '@cmd': -5 }, now)
    await new StorageStore(cloud.db).merge(id, app.id, { 'a/b': `of ${email}`, '=1': '+2' }, now)
  }
  await new LiveStreamStore(cloud.db).open(id, { streamId: `stream${name}`, startedAt: now })
  await cloud.db
    .insertInto('provider_recordings')
    .values({
      provider: 'cloudflare',
      recording_id: `video${name}`,
      user_id: id,
      url: null,
      recorded_at: now,
    })
    .execute()
  await cloud.db
    .insertInto('stream_inputs')
    .values({
      name: `input${name}`,
      provider: 'cloudflare',
      input_id: null,
      holder: 'dead',
      node_url: '',
      renewed_at: now,
      user_id: id,
    })
    .execute()
  await cloud.db
    .insertInto('space_reservations')
    .values({ id: `space${name}`, user_id: id, kind: 'upload', bytes: 1, holder: 'dead', expires_at: now })
    .execute()
  await new UserSessionStore(cloud.db).claim(id, `session${name.replaceAll('-', '')}`, now)

  await features.phone.phoneReports.add(id, 'feedback', { feedback: `of ${email}` }, now)
  const { gallery } = features.gallery
  const { incidents } = features.incidents
  const incidentId = await incidents.report(id, { feedback: `of ${email}` })
  await incidents.addLogs(incidentId, { logs: [{ timestamp: now, level: 'error', message: `of ${email}` }] })
  const attachment = {
    filename: `${email}.png`,
    mimeType: 'image/png',
    content: oneChunk(Buffer.from(email)),
  }
  await incidents.attach(id, incidentId, attachment)
  const { jpeg } = drawPicture(1, 'small')
  const photo = await gallery.receive(id, oneChunk(jpeg), { maxBytes: jpeg.length })
  assert.ok(typeof photo === 'object')
  await gallery.add(photo, { requestId: 'request 1', origin: 'app', packageName: 'common.one' })
  const claim = {
    kind: 'requested',
    packageName: 'common.one',
    requestId: 'request 1',
    saveToGallery: true,
    route: 'upload',
  } as const
  await features.photos.relay.accept(photo, { ...claim, authToken: `of ${email}` })

  const ownPackage = `own.${name}`
  await local.registerApp({
    packageName: ownPackage,
    name: 'Own',
    developerId: email,
    logoURL: 'https://x.example.org',
  })
  // As if the user had registered it.
  const own = await operator.apps.findByPackage(ownPackage)
  assert.ok(own)
  await operator.apps.update(own.id, { developerUserId: id }, now)
  const shared = await operator.organizations.ensure(
    'shared',
    { profile: { company: 'Shared', contactEmail: email } },
    now,
  )
  const ownOrganization = await operator.organizations.ensure(name, { profile: { contactEmail: email } }, now)
  for (const organization of [shared, ownOrganization])
    await operator.organizations.addMember(organization.id, id, 'admin', now)
  const inviting = await operator.organizations.ensure(`inviting-${name}`, {}, now)
  const invitationToken = { hash: `hash of ${name}`, expiresAt: now + 1_000 }
  await new InvitationStore(cloud.db, 1).add(
    { organizationId: inviting.id, email, role: 'member' },
    invitationToken,
    now,
  )

  for (const format of ['json', 'csv']) await call('POST', 'request-export', { format })
  await features.personalData.exports.idle()
  return { id, email, token, ownPackage }
}

/** Adds a row to every table of the accounts. */
async function addAccountData({ db, logins }: Cloud, id: string, email: string, now: number): Promise<void> {
  await logins.create(id, { ipAddress: '203.0.113.7', userAgent: `of ${email}` }, now)
  const times = { created_at: now, updated_at: now }
  const expiry = { expires_at: now + 600_000 }
  await db
    .insertInto('known_browsers')
    .values({ browser_hash: id, user_id: id, ...expiry })
    .execute()
  await db
    .insertInto('sign_in_methods')
    .values({ id: `method ${id}`, user_id: id, provider_id: 'credential', account_id: id, ...times })
    .onConflict((conflict) => conflict.columns(['provider_id', 'account_id']).doNothing())
    .execute()
  await db
    .insertInto('two_factors')
    .values({ id: `factor ${id}`, user_id: id, secret: '', backup_codes: '', verified: 1 })
    .execute()
  await db
    .insertInto('passkeys')
    .values({
      id: `passkey ${id}`,
      user_id: id,
      credential_id: id,
      public_key: '',
      counter: 0,
      transports: '[]',
      name: `of ${email}`,
      created_at: now,
    })
    .execute()
  const expires_at = now + 600_000
  await db
    .insertInto('device_codes')
    .values({
      id: `device ${id}`,
      user_id: id,
      device_code: `code ${id}`,
      user_code: `user code ${id}`,
      status: 'pending',
      expires_at,
    })
    .execute()
  await db
    .insertInto('sign_up_invitations')
    .values({
      id: `invitation of ${id}`,
      token_hash: id,
      invited_email: email,
      created_at: now,
      expires_at,
    })
    .execute()
  await db
    .insertInto('audit_log')
    .values({
      id: randomUUID(),
      at: now,
      actor_id: id,
      action: 'session.list',
      target: '',
      details: '{}',
      address: '203.0.113.7',
      outcome: 'done',
    })
    .execute()
  await db
    .insertInto('verifications')
    .values({ id: `reset ${id}`, identifier: 'reset', value: id, ...times, expires_at })
    .execute()
}

/** All columns (`table.column`) and blobs (`blob key`) that contain one of the texts, ignoring case. */
export async function findOccurrences({ db, blobs }: Cloud, texts: readonly string[]): Promise<string[]> {
  const contains = (content: string) =>
    texts.some((text) => content.toLowerCase().includes(text.toLowerCase()))
  const occurrences = new Set<string>()
  for (const { name } of await tablesOf(db)) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(db)
    for (const [column, value] of rows.flatMap((row) => Object.entries(row)))
      if (contains(String(value))) occurrences.add(`${name}.${column}`)
  }
  for await (const { key } of blobs.list('')) {
    const blob = await blobs.get(key)
    assert.ok(blob)
    const content = Buffer.concat(await blob.stream.toArray()).toString()
    if (contains(key) || contains(content)) occurrences.add(`blob ${key}`)
  }
  return [...occurrences].sort()
}

/** All columns that refer to a user by id or e-mail. */
export async function userColumns({ db }: Cloud): Promise<string[]> {
  const tables = await tablesOf(db)
  const columns = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
  return columns
    .filter((column) => /(\.|_)(user_id|email|user_email|developer_id)$|^users\.id$/.test(column))
    .sort()
}

const tablesOf = (db: Cloud['db']) => db.introspection.getTables()

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { openDatabase, openWatchedDatabase } from '../../db/index.ts'
import { eachDatabase, type TestDatabase, type TestScope } from '../../db/testing.ts'
import { OrganizationStore, type User, UserStore } from '../../identity/index.ts'
import type { SessionDirectory, SessionHandle } from '../../session-host/index.ts'
import { AcceptanceStore } from './acceptance-store.ts'
import type { AppRegistration } from './app.ts'
import { AppActivityStore } from './app-activity-store.ts'
import { listJson } from './app-json.ts'
import { AppLists } from './app-lists.ts'
import { AppStore } from './app-store.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import { CatalogueSnapshot } from './catalogue-snapshot.ts'
import { InstallStore } from './install-store.ts'
import { OwnershipStore } from './ownership-store.ts'
import { notifyAppsChanged, readLiveState, UserAppsReader } from './user-apps.ts'

const fail = () => Promise.reject(new Error('The session has ended'))

/** A session that ended in another process between lookup and call. */
const endedSession: Pick<SessionHandle, 'appState' | 'glasses' | 'appsChanged'> = {
  appState: fail,
  glasses: fail,
  appsChanged: fail,
}

const sessions = { find: async () => endedSession } as unknown as SessionDirectory
const user = { id: 'user' } as User

describe('a live session that ends while it is read', () => {
  test('CAT-17 CAT-19: counts as no session in lists, and is logged', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    const live = await readLiveState(sessions, user, log)
    assert.equal(live.glasses, null)
    assert.equal(live.isRunning('some.app'), false)
    assert.match(lines.join(), /session state could not be read/)
  })

  test('LIFE-5: does not undo an install, and is logged', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    await notifyAppsChanged(sessions, user, log)
    assert.match(lines.join(), /could not be notified of changed apps/)
  })
})

const entry = (text: string) => Buffer.from(JSON.stringify(text))
const parse = (json: Buffer) => JSON.parse(json.toString()).data

test('CAT-7: the same entries are joined once; a list that differs in any of them is built', () => {
  const [a, b, c] = [entry('a'), entry('b'), entry('c')]
  const list = listJson([[a], [b]])
  assert.deepEqual(parse(list), ['a', 'b'])
  assert.equal(listJson([[a], [b]]), list)
  assert.deepEqual(parse(listJson([[a], [c]])), ['a', 'c'])
  assert.deepEqual(parse(listJson([[a]])), ['a'])
  assert.deepEqual(parse(listJson([[a], [b], [c]])), ['a', 'b', 'c'])
  assert.deepEqual(parse(listJson([])), [])
})

test('CAT-7: a list with an entry of one user is not kept', () => {
  const start = Buffer.from('{"a":1')
  const entries = [[start, Buffer.from('}')]]
  const list = listJson(entries)
  assert.deepEqual(parse(list), [{ a: 1 }])
  assert.notEqual(listJson(entries), list)
})

const registration = (packageName: string, more: Partial<AppRegistration> = {}): AppRegistration => ({
  packageName,
  name: `App ${packageName}`,
  publicUrl: 'https://app.example.org',
  ...more,
})
const published = { appStoreStatus: 'PUBLISHED' } as const
const packages = (entries: readonly CatalogueEntry[]) => entries.map(({ packageName }) => packageName)
const page = { limit: 100 }

/** Creates lists with one app for each reason why Ada may see it, and one that she may not see. */
async function createLists(t: TestScope, database: TestDatabase) {
  const place = await database.createEmpty(t)
  const { db, changes } = await openWatchedDatabase(place)
  const other = await openDatabase(place)
  t.after(async () => {
    await changes.close()
    await Promise.all([db.destroy(), other.destroy()])
  })
  const apps = new AppStore(db)
  const installs = new InstallStore(db)
  const acceptances = new AcceptanceStore(db)
  const organizations = new OrganizationStore(db)
  const lists = new AppLists({
    snapshot: new CatalogueSnapshot({ apps, changes, isReviewed: false }),
    userApps: new UserAppsReader({
      installs,
      acceptances,
      activity: new AppActivityStore(db),
      organizations,
      changes,
    }),
    organizations,
    systemPackages: ['e.system', 'a.published'],
    dashboardPackage: 'the.dashboard',
    now: () => 1_000_000,
  })
  const users = new UserStore(db)
  const ada = await users.findOrCreate('ada@example.com', 1)
  const zoe = await users.findOrCreate('zoe@example.com', 1)
  const acme = await organizations.ensure('acme', {}, 1)
  await organizations.addMember(acme.id, ada.id, 'member', 1)
  await apps.register(registration('a.published', { ...published, developerId: 'ada@example.com' }), 1)
  await apps.register(registration('b.own', { developerId: 'ada@example.com' }), 1)
  await apps.register(registration('c.organization', { organizationId: acme.id }), 1)
  const installed = await apps.register(registration('d.installed'), 1)
  await apps.register(registration('e.system'), 1)
  await apps.register(registration('f.foreign', { developerId: 'eve@example.com' }), 1)
  await installs.install(ada.id, installed.id, 1)
  return { lists, apps, installs, organizations, ada, zoe, acme, other, changes }
}

describe('app lists', () => {
  eachDatabase((database) => {
    test('CAT-7 CAT-25: lists contain what a user may see, and follow every change', async (t) => {
      const { lists, apps, installs, organizations, ada, zoe, acme, other } = await createLists(t, database)
      const visible = async (user = ada) => packages(await lists.visibleTo(user, page))
      const five = ['a.published', 'b.own', 'c.organization', 'd.installed', 'e.system']
      assert.deepEqual(await visible(), five)
      assert.deepEqual(await visible(zoe), ['a.published', 'e.system'])
      assert.deepEqual(packages(await lists.installedBy(ada, page)), [
        'a.published',
        'd.installed',
        'e.system',
      ])
      assert.equal((await lists.find('b.own', zoe))?.packageName, undefined)
      assert.equal((await lists.find('b.own', ada))?.packageName, 'b.own')
      assert.deepEqual(packages(await lists.search('app', undefined, page, undefined)), ['a.published'])
      assert.deepEqual(packages(await lists.search('app', ada, page, acme.id)), ['c.organization'])
      assert.deepEqual(packages(await lists.search('app', ada, page, 'acme')), ['c.organization'])

      await apps.register(registration('b.own', { developerId: 'eve@example.com' }), 2)
      await apps.register(registration('c.organization', { organizationId: null }), 2)
      await apps.register(registration('f.foreign', published), 2)
      const { id } = await apps.register(registration('g.new'), 2)
      await installs.install(zoe.id, id, 2)
      assert.deepEqual(await visible(), ['a.published', 'd.installed', 'e.system', 'f.foreign'])
      assert.deepEqual(await visible(zoe), ['a.published', 'e.system', 'f.foreign', 'g.new'])
      await organizations.ensure('acme', { name: 'Acme Corporation' }, 3)
      await apps.register(registration('a.published', { organizationId: acme.id }), 3)
      assert.equal((await lists.find('a.published', undefined))?.app.organization?.name, 'Acme Corporation')
      assert.deepEqual(packages(await lists.available(page, 'acme')), ['a.published'])
      await apps.markUnreachable('a.published', 1_000_000)
      assert.deepEqual(packages(await lists.available(page, undefined)), ['f.foreign'])

      await new AppStore(other).register(registration('h.other', published), 4)
      const deadline = performance.now() + 20_000
      while (!(await visible()).includes('h.other')) {
        assert.ok(performance.now() < deadline, 'an app registered by another process is listed')
        await new Promise(setImmediate)
      }
    })

    test('CAT-65: apps follow the name of their developer, whichever process changes it', async (t) => {
      const { lists, apps, ada, other } = await createLists(t, database)
      const nameIn = async (packageName: string) => (await lists.find(packageName, ada))?.app.developerName
      const waitForName = async (packageName: string, expected: string | null) => {
        const deadline = performance.now() + 20_000
        while ((await nameIn(packageName)) !== expected) {
          assert.ok(performance.now() < deadline, `${packageName} is by ${expected}`)
          await new Promise(setImmediate)
        }
      }
      await apps.register(registration('f.foreign', published), 2)
      assert.deepEqual([await nameIn('b.own'), await nameIn('f.foreign')], [null, null])
      const users = new UserStore(other)
      await users.update(ada.id, { name: 'Ada Lovelace' }, 2)
      await waitForName('b.own', 'Ada Lovelace')
      await users.update(ada.id, { profile: { displayName: 'Countess' } }, 3)
      await waitForName('b.own', 'Countess')
      assert.equal(await nameIn('a.published'), 'Countess')
      assert.equal(await nameIn('d.installed'), null)

      // A user who signs up has a name once the address is confirmed.
      const eve = { id: 'eve', email: 'eve@example.com', name: 'Eve of Oxford', profile: '{}' }
      await other
        .insertInto('users')
        .values({ ...eve, tokens_valid_from: 0, created_at: 4, updated_at: 4 })
        .execute()
      assert.equal(await nameIn('f.foreign'), null)
      await users.setEmailVerified(eve.id, 4)
      await waitForName('f.foreign', 'Eve of Oxford')
      assert.equal(await nameIn('b.own'), 'Countess')
      await new OwnershipStore(other).giveUp(eve, 5)
      await users.remove(eve.id, 'hash', 5)
      await apps.register(registration('f.foreign', published), 6)
      await waitForName('f.foreign', null)
    })

    test('CAT-24: search matches name and description in any case, and every character literally', async (t) => {
      const { lists, apps } = await createLists(t, database)
      await apps.register(registration('a', { ...published, name: 'Über Ñandú', description: '100% fun' }), 1)
      await apps.register(registration('b', { ...published, name: 'B_side', description: 'C:\\path' }), 1)
      await apps.register(registration('c', { name: 'Über hidden' }), 1)
      const found = async (text: string) =>
        packages(await lists.search(text, undefined, page, undefined)).filter((name) => name.length === 1)
      assert.deepEqual(await found('üBER'), ['a'])
      assert.deepEqual(await found('ÑANDÚ'), ['a'])
      assert.deepEqual(await found('0% F'), ['a'])
      assert.deepEqual(await found('%'), ['a'])
      assert.deepEqual(await found('_'), ['b'])
      assert.deepEqual(await found('c:\\P'), ['b'])
      assert.deepEqual(await found('ñandú 100%'), [], 'not across name and description')
      assert.deepEqual(await found("'"), [])
    })

    test('CAT-6 CAT-11 CAT-14: pages continue in the order of package names', async (t) => {
      const { lists, apps } = await createLists(t, database)
      const names = ['Z.b', 'a-b', 'a.b', 'a.b.c', 'a.published', 'a_b', 'ab']
      for (const name of names.toReversed()) {
        if (name !== 'a.published')
          await apps.register(registration(name, { ...published, permissions: [{ type: 'ALL' }] }), 1)
      }
      assert.deepEqual(packages(await lists.published(page)), names)
      const paged: string[] = []
      for (;;) {
        const next = packages(await lists.published({ limit: 3, after: paged.at(-1) }))
        assert.ok(next.length <= 3)
        if (next.length === 0) break
        paged.push(...next)
      }
      assert.deepEqual(paged, names)
    })
  })
})

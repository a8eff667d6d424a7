import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PermissionType } from '@glasses-cloud/contract'
import { type Database, isUniqueViolation } from '../../db/index.ts'
import { eachDatabase } from '../../db/testing.ts'
import { OrganizationStore, UserStore } from '../../identity/index.ts'
import type { App, AppRegistration } from './app.ts'
import { AppStore } from './app-store.ts'
import { InstallStore } from './install-store.ts'

const registration = (packageName: string, more: Partial<AppRegistration> = {}): AppRegistration => ({
  packageName,
  name: `App ${packageName}`,
  publicUrl: 'https://app.example.org',
  ...more,
})
const published = { appStoreStatus: 'PUBLISHED' } as const
const packages = (apps: readonly App[]) => apps.map(({ packageName }) => packageName)

describe('apps', () => {
  eachDatabase(({ open }) => {
    test('STO-30: a registered app reads back as it was given', async (t) => {
      const db = await open(t)
      const apps = new AppStore(db)
      const acme = await new OrganizationStore(db).ensure(
        'acme',
        { name: 'Acme', profile: { company: 'A' } },
        1,
      )
      const given = {
        packageName: 'org.example.captions',
        name: 'Captions',
        description: 'Words on the lens',
        publicUrl: 'https://captions.example.org',
        appType: 'BACKGROUND',
        logoUrl: 'https://captions.example.org/logo.png',
        webviewUrl: 'https://captions.example.org/web',
        featured: true,
        minHardwareVersion: '1.2.0',
        appStoreStatus: 'PUBLISHED',
        hardwareRequirements: [{ type: 'DISPLAY', level: 'REQUIRED', description: 'shows words' }],
        settings: [{ key: 'size', type: 'select', defaultValue: 'big' }],
        tools: [{ id: 'say', description: 'says it' }],
        permissions: [{ type: 'MICROPHONE', description: 'hears' }, { type: 'LOCATION' }],
        onboardingInstructions: 'Look up.',
      } as const satisfies AppRegistration
      const app = await apps.register(
        { ...given, developerId: 'Ada@Example.com', organizationId: acme.id },
        5,
      )
      assert.deepEqual(app, {
        ...given,
        id: app.id,
        developerId: 'ada@example.com',
        organization: { id: acme.id, slug: 'acme', name: 'Acme', profile: { company: 'A' } },
        unreachableSince: null,
        createdAt: 5,
        updatedAt: 5,
      })
      assert.deepEqual(await apps.findByPackage('org.example.captions'), app)
      assert.equal(await apps.findByPackage('org.example'), undefined)
      assert.equal(await apps.findByPackage('org.example\0'), undefined)
    })

    test('STO-31: registering again changes what is given and keeps the rest', async (t) => {
      const apps = new AppStore(await open(t))
      const first = await apps.register(
        registration('a', { ...published, description: 'old words', permissions: [{ type: 'ALL' }] }),
        1,
      )
      const second = await apps.register({ ...registration('a'), name: 'Renamed', webviewUrl: null }, 2)
      assert.deepEqual(second, { ...first, name: 'Renamed', updatedAt: 2 })
      const third = await apps.register({ ...registration('a'), permissions: [], description: 'new' }, 3)
      assert.deepEqual([third.permissions, third.description], [[], 'new'])
      assert.deepEqual(packages(await apps.search('renamed')), [], 'search follows the new name')
      assert.deepEqual(packages(await apps.search('old words')), [], 'search follows the new description')
      assert.deepEqual(packages(await apps.search('NEW')), ['a'])
      const fresh = await apps.register(registration('b'), 4)
      assert.deepEqual(
        [fresh.appType, fresh.appStoreStatus, fresh.featured],
        ['STANDARD', 'DEVELOPMENT', false],
      )
    })

    test('STO-32: a registration or permission change that fails changes nothing', async (t) => {
      const apps = new AppStore(await open(t))
      const before = await apps.register(registration('a', { permissions: [{ type: 'CAMERA' }] }), 1)
      const twice = [{ type: 'CAMERA' }, { type: 'CAMERA' }] as const
      await assert.rejects(
        apps.register({ ...registration('a'), name: 'X', permissions: twice }, 2),
        isUniqueViolation,
      )
      await assert.rejects(apps.register({ ...registration('b'), permissions: twice }, 2), isUniqueViolation)
      await assert.rejects(apps.replacePermissions(before.id, twice, 2), isUniqueViolation)
      assert.deepEqual(await apps.list(), [before])
    })

    test('STO-33: permissions replaced at the same time are those of one of the callers', async (t) => {
      const apps = new AppStore(await open(t))
      const { id } = await apps.register(registration('a'), 1)
      const sets: PermissionType[][] = [['CAMERA', 'LOCATION'], ['MICROPHONE', 'CAMERA'], ['ALL'], []]
      const calls = [...sets, ...sets].map((types, n) =>
        apps.replacePermissions(
          id,
          types.map((type) => ({ type })),
          n,
        ),
      )
      assert.deepEqual(new Set(await Promise.all(calls)), new Set([true]))
      const stored = (await apps.findByPackage('a'))?.permissions.map(({ type }) => type)
      assert.ok(
        sets.some((set) => set.join() === stored?.join()),
        stored?.join(),
      )
      assert.equal(await apps.replacePermissions('nobody', [], 1), false)
    })

    test('STO-34: registering one package at the same time makes one app', async (t) => {
      const apps = new AppStore(await open(t))
      const made = await Promise.all(
        Array.from({ length: 8 }, (_, n) => apps.register({ ...registration('a'), name: `n${n}` }, n)),
      )
      assert.equal(new Set(made.map(({ id }) => id)).size, 1)
      assert.equal((await apps.list()).length, 1)
    })

    test('STO-35: a user sees published, own, organization, installed and system apps, each once', async (t) => {
      const { apps, ada } = await catalogue(await open(t))
      const viewer = {
        userId: ada.id,
        email: ada.email.toUpperCase(),
        systemPackages: ['e.system', 'a.published'],
      }
      assert.deepEqual(packages(await apps.listVisible(viewer)), [
        'a.published',
        'b.own',
        'c.organization',
        'd.installed',
        'e.system',
      ])
      const stranger = { userId: 'nobody', email: 'zoe@example.com' }
      assert.deepEqual(packages(await apps.listVisible(stranger)), ['a.published'])
    })

    test('STO-36: the published list may be narrowed to an organization', async (t) => {
      const { apps, acme } = await catalogue(await open(t))
      await apps.register(registration('c.organization', published), 2)
      assert.deepEqual(packages(await apps.listPublished()), ['a.published', 'c.organization'])
      assert.deepEqual(packages(await apps.listPublished({ organizationId: acme.id })), ['c.organization'])
    })

    test('STO-62: the first notice that a server is down counts until it is up again', async (t) => {
      const { apps } = await catalogue(await open(t))
      const downSince = async () => (await apps.findByPackage('a.published'))?.unreachableSince
      for (const at of [7, 8]) await apps.markUnreachable('a.published', at)
      assert.equal(await downSince(), 7)
      await apps.markReachable('a.published')
      assert.equal(await downSince(), null)
      await apps.markUnreachable('a.published', 9)
      assert.equal(await downSince(), 9)
    })

    test('STO-37: search finds name and description in any case, and takes every character as it is', async (t) => {
      const apps = new AppStore(await open(t))
      await apps.register(registration('a', { ...published, name: 'Über Ñandú', description: '100% fun' }), 1)
      await apps.register(registration('b', { ...published, name: 'B_side', description: 'C:\\path' }), 1)
      await apps.register(registration('c', { name: 'Über hidden' }), 1)
      const found = async (text: string) => packages(await apps.search(text))
      assert.deepEqual(await found('üBER'), ['a'])
      assert.deepEqual(await found('ÑANDÚ'), ['a'])
      assert.deepEqual(await found('0% F'), ['a'])
      assert.deepEqual(await found('%'), ['a'])
      assert.deepEqual(await found('_'), ['b'])
      assert.deepEqual(await found('c:\\P'), ['b'])
      assert.deepEqual(await found('ñandú 100%'), [], 'not across name and description')
      assert.deepEqual(await found("'"), [])
      assert.deepEqual(await found('a\0'), [])
    })

    test('STO-38: a search may be narrowed to an organization and widened to what a user sees', async (t) => {
      const { apps, acme, ada } = await catalogue(await open(t))
      const viewer = { userId: ada.id, email: ada.email }
      assert.deepEqual(packages(await apps.search('app')), ['a.published'])
      const seen = await apps.search('app', { visibleTo: viewer })
      assert.deepEqual(packages(seen), ['a.published', 'b.own', 'c.organization', 'd.installed'])
      const narrow = await apps.search('app', { visibleTo: viewer, organizationId: acme.id })
      assert.deepEqual(packages(narrow), ['c.organization'])
    })

    test('STO-39: a list in pages holds what the whole list does, in the same order on both databases', async (t) => {
      const apps = new AppStore(await open(t))
      const names = ['Z.b', 'a-b', 'a.b', 'a.b.c', 'a_b', 'ab']
      for (const name of names.toReversed())
        await apps.register(registration(name, { ...published, permissions: [{ type: 'ALL' }] }), 1)
      assert.deepEqual(packages(await apps.list()), names)
      const paged: App[] = []
      for (let after: string | undefined; ; after = paged.at(-1)?.packageName) {
        const page = await apps.listPublished({}, { limit: 4, after })
        if (page.length === 0) break
        assert.ok(page.length <= 4)
        paged.push(...page)
      }
      assert.deepEqual(paged, await apps.list())
      assert.ok(paged.every(({ permissions }) => permissions.length === 1))
      assert.deepEqual(packages(await apps.findByPackages(['ab', 'Z.b', 'none'])), ['Z.b', 'ab'])
      assert.deepEqual(await apps.findByPackages([]), [])
    })
  })
})

/** One app for each reason to see one, and one there is no reason for. */
async function catalogue(db: Database) {
  const apps = new AppStore(db)
  const organizations = new OrganizationStore(db)
  const ada = await new UserStore(db).findOrCreate('ada@example.com', 1)
  const acme = await organizations.ensure('acme', {}, 1)
  await organizations.addMember(acme.id, ada.id, 'member', 1)
  const own = { developerId: 'ada@example.com', organizationId: null }
  await apps.register(registration('a.published', { ...published, developerId: 'ada@example.com' }), 1)
  await apps.register(registration('b.own', own), 1)
  await apps.register(registration('c.organization', { organizationId: acme.id }), 1)
  const installed = await apps.register(registration('d.installed'), 1)
  await apps.register(registration('e.system'), 1)
  await apps.register(registration('f.foreign', { developerId: 'eve@example.com' }), 1)
  await new InstallStore(db).install(ada.id, installed.id, 1)
  return { apps, ada, acme }
}

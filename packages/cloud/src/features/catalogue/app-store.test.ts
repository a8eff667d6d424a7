import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PermissionType } from '@glasses-cloud/contract'
import { isUniqueViolation } from '../../db/index.ts'
import { eachDatabase } from '../../db/testing.ts'
import { OrganizationStore } from '../../identity/index.ts'
import type { App, AppRegistration } from './app.ts'
import { AppStore } from './app-store.ts'

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
    test('a registered app is read back unchanged', async (t) => {
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
        wakeWords: [{ phrase: 'hey captions' }, { phrase: 'hallo', language: 'de-DE' }],
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
        developerUserId: null,
        developerName: null,
        approved: 'everything',
        declaredAt: { MICROPHONE: 5, LOCATION: 5 },
        organization: { id: acme.id, slug: 'acme', name: 'Acme', profile: { company: 'A' } },
        screenshots: [],
        unreachableSince: null,
        createdAt: 5,
        updatedAt: 5,
      })
      assert.deepEqual(await apps.findByPackage('org.example.captions'), app)
      assert.equal(await apps.findByPackage('org.example'), undefined)
      assert.equal(await apps.findByPackage('org.example\0'), undefined)
    })

    test('CLI-21: registering again updates the submitted fields and keeps the others', async (t) => {
      const apps = new AppStore(await open(t))
      const first = await apps.register(
        registration('a', { ...published, description: 'old words', permissions: [{ type: 'ALL' }] }),
        1,
      )
      const second = await apps.register({ ...registration('a'), name: 'Renamed', webviewUrl: null }, 2)
      assert.deepEqual(second, { ...first, name: 'Renamed', updatedAt: 2 })
      const third = await apps.register({ ...registration('a'), permissions: [], description: 'new' }, 3)
      assert.deepEqual([third.permissions, third.description], [[], 'new'])
      const fresh = await apps.register(registration('b'), 4)
      assert.deepEqual(
        [fresh.appType, fresh.appStoreStatus, fresh.featured],
        ['STANDARD', 'DEVELOPMENT', false],
      )
    })

    test('a failed registration or permission change changes nothing', async (t) => {
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

    test('PRM-9: concurrent replacements of permissions store those of one caller', async (t) => {
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
      assert.equal(await apps.replacePermissions('unknown', [], 1), false)
    })

    test('DAPI-3: concurrent registrations of one package create one app', async (t) => {
      const apps = new AppStore(await open(t))
      const made = await Promise.all(
        Array.from({ length: 8 }, (_, n) => apps.register({ ...registration('a'), name: `n${n}` }, n)),
      )
      assert.equal(new Set(made.map(({ id }) => id)).size, 1)
      assert.equal((await apps.list()).length, 1)
    })

    test('CAT-27: the first report that a server is down is kept until it is up again', async (t) => {
      const apps = new AppStore(await open(t))
      await apps.register(registration('a.published', published), 1)
      const downSince = async () => (await apps.findByPackage('a.published'))?.unreachableSince
      for (const at of [7, 8]) await apps.markUnreachable('a.published', at)
      assert.equal(await downSince(), 7)
      await apps.markReachable('a.published')
      assert.equal(await downSince(), null)
      await apps.markUnreachable('a.published', 9)
      assert.equal(await downSince(), 9)
    })

    test('CAT-11: the pages together equal the whole list, in the same order on both databases', async (t) => {
      const apps = new AppStore(await open(t))
      const names = ['Z.b', 'a-b', 'a.b', 'a.b.c', 'a_b', 'ab']
      for (const name of names.toReversed())
        await apps.register(registration(name, { ...published, permissions: [{ type: 'ALL' }] }), 1)
      assert.deepEqual(packages(await apps.list()), names)
      const paged: App[] = []
      for (let after: string | undefined; ; after = paged.at(-1)?.packageName) {
        const page = await apps.list({ limit: 4, after })
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

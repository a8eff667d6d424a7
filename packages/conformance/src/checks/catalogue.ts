import { appDetails, appItem, errors, installedApp, publicApp } from '@glasses-cloud/contract'
import { type TSchema, Type } from 'typebox'
import type { Check } from '../check.ts'
import type { Context } from '../context.ts'
import { expect, expectBody, expectError, isRecord } from '../expect.ts'
import { Skipped } from '../outcome.ts'

const SOURCE = 'Contract: Endpoints, Apps'
const ERRORS = 'Contract: Endpoints, response styles'
const UNKNOWN_PACKAGE = 'conformance.no-such-app'

const listOf = (item: TSchema) => Type.Object({ success: Type.Literal(true), data: Type.Array(item) })

// Only the fields of the specification: other clouds need not have what this one adds.
const foundApp = Type.Pick(appDetails, ['_id', 'packageName', 'name', 'description'])
const availableApp = Type.Pick(appDetails, ['_id', 'packageName', 'name', 'developerProfile', 'orgName'])
const listedApp = Type.Pick(appItem, [
  '_id',
  'packageName',
  'name',
  'is_running',
  'compatibility',
  'minHardwareVersion',
  'requiredHardware',
  'featured',
  'published',
])
const installed = Type.Pick(installedApp, ['_id', 'packageName', 'name', 'installedDate', 'compatibility'])
const details = Type.Object({
  success: Type.Literal(true),
  data: Type.Pick(appDetails, [
    '_id',
    'packageName',
    'name',
    'description',
    'logoURL',
    'appType',
    'permissions',
    'uninstallable',
    'developerProfile',
    'orgName',
  ]),
})

/** The package of the kit's app, or that of any published app. */
async function anyPackage({ options, rest }: Context): Promise<string> {
  if (options.app !== undefined) return options.app.packageName
  const { data } = expectBody(listOf(publicApp), await rest.get('/api/apps/public', { token: null }))
  const [app] = data.filter(isRecord)
  if (app === undefined) throw new Skipped('the cloud has no published app, and --app-package is not given')
  return String(app.packageName)
}

export const catalogueChecks: readonly Check[] = [
  {
    id: 'catalogue.version',
    title: 'GET /api/apps/version names the version without authentication',
    source: 'Contract: Versioning',
    run: async ({ rest }) => {
      expectBody(
        Type.Object({ version: Type.String() }),
        await rest.get('/api/apps/version', { token: null }),
      )
    },
  },
  {
    id: 'catalogue.public',
    title: 'GET /api/apps/public lists published apps with and without a token',
    source: SOURCE,
    run: async ({ rest }) => {
      for (const options of [{ token: null }, {}]) {
        const { data } = expectBody(listOf(publicApp), await rest.get('/api/apps/public', options))
        expect(
          data.every((app) => isRecord(app) && app.published === true),
          'GET /api/apps/public: listed an app that is not published',
        )
      }
    },
  },
  {
    id: 'catalogue.available',
    title: 'GET /api/apps/available lists apps with their developers',
    source: SOURCE,
    run: async ({ rest }) => {
      expectBody(listOf(availableApp), await rest.get('/api/apps/available'))
    },
  },
  {
    id: 'catalogue.search',
    title: 'GET /api/apps/search finds an app by its name',
    source: SOURCE,
    run: async (context) => {
      const packageName = await anyPackage(context)
      const answer = await context.rest.get(`/api/apps/${encodeURIComponent(packageName)}`)
      const { name } = expectBody(details, answer).data
      const found = expectBody(
        listOf(foundApp),
        await context.rest.get(`/api/apps/search?q=${encodeURIComponent(name)}`),
      )
      expect(
        found.data.some((app) => isRecord(app) && app.packageName === packageName),
        `GET /api/apps/search: did not find ${packageName} by its name`,
      )
    },
  },
  {
    id: 'catalogue.search-query',
    title: 'GET /api/apps/search without q returns 400',
    source: SOURCE,
    run: async ({ rest }) => {
      const answer = await rest.get('/api/apps/search')
      expect(
        answer.status === 400 && isRecord(answer.body) && answer.body.success === false,
        `GET /api/apps/search: expected 400 { success: false }, received ${answer.status}`,
      )
    },
  },
  {
    id: 'catalogue.list',
    title: 'GET /api/apps lists apps with running state and compatibility',
    source: SOURCE,
    run: async ({ rest }) => {
      expectBody(listOf(listedApp), await rest.get('/api/apps'))
    },
  },
  {
    id: 'catalogue.installed',
    title: 'GET /api/apps/installed lists the installed apps of the user',
    source: SOURCE,
    run: async ({ rest }) => {
      expectBody(listOf(installed), await rest.get('/api/apps/installed'))
    },
  },
  {
    id: 'catalogue.authentication',
    title: 'GET /api/apps/installed without a token returns 401 in the envelope',
    source: ERRORS,
    run: async ({ rest }) => {
      const answer = await rest.get('/api/apps/installed', { token: null })
      expect(
        answer.status === 401 && isRecord(answer.body) && answer.body.success === false,
        `GET /api/apps/installed: expected 401 { success: false }, received ${answer.status}`,
      )
    },
  },
  {
    id: 'catalogue.details',
    title: 'GET /api/apps/:packageName returns the details of an app',
    source: SOURCE,
    run: async (context) => {
      const packageName = await anyPackage(context)
      const answer = await context.rest.get(`/api/apps/${encodeURIComponent(packageName)}`)
      const { data } = expectBody(details, answer)
      expect(data.packageName === packageName, `${answer.request}: returned ${data.packageName}`)
    },
  },
  {
    id: 'catalogue.unknown-app',
    title: 'GET /api/apps/:packageName of an unknown app returns 404 App not found',
    source: ERRORS,
    run: async ({ rest }) => {
      expectError(await rest.get(`/api/apps/${UNKNOWN_PACKAGE}`), errors.APP_NOT_FOUND, 'envelope')
    },
  },
  {
    id: 'catalogue.permissions',
    title: 'GET /api/permissions/:packageName returns the declared permissions',
    source: 'Contract: Permissions',
    run: async (context) => {
      const path = `/api/permissions/${encodeURIComponent(await anyPackage(context))}`
      expectBody(Type.Pick(appDetails, ['permissions']), await context.rest.get(path))
    },
  },
  {
    id: 'catalogue.permissions-unknown-app',
    title: 'GET /api/permissions/:packageName of an unknown app returns 404 App not found',
    source: 'Contract: Errors',
    run: async ({ rest }) => {
      expectError(await rest.get(`/api/permissions/${UNKNOWN_PACKAGE}`), errors.APP_NOT_FOUND, 'bare')
    },
  },
]

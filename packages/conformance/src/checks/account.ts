import {
  accountUser,
  appItem,
  dataExport,
  errors,
  exportRequestResponse,
  galleryPhoto,
  PHOTO_TYPES,
  privacySettings,
  updatedUser,
  webApp,
} from '@glasses-cloud/contract'
import { delay, systemClock } from '@glasses-cloud/phone'
import { Type } from 'typebox'
import type { Check } from '../check.ts'
import type { Context } from '../context.ts'
import { expect, expectBody, expectError, expectMatch, expectStatus, isRecord } from '../expect.ts'
import { Skipped } from '../outcome.ts'

const SOURCE = 'Contract: Endpoints, Account'
const ERRORS = 'Contract: Errors, messages by endpoint group'
const TOKEN_LIFETIME_S = 600
const POLL_MS = 100

const tokenResponse = Type.Object({
  success: Type.Literal(true),
  token: Type.String(),
  expiresIn: Type.Literal('10m'),
})

/** The package of an app that the user may sign in to. */
async function webPackage({ rest }: Context): Promise<string> {
  const list = Type.Object({ data: Type.Array(Type.Pick(appItem, ['packageName', 'webviewURL'])) })
  const { data } = expectBody(list, await rest.get('/api/apps'))
  const app = data.find(({ webviewURL }) => webviewURL !== undefined)
  if (app === undefined) throw new Skipped('no app with a webviewURL is visible to the user')
  return app.packageName
}

export const accountChecks: readonly Check[] = [
  {
    id: 'account.me',
    title: 'GET /api/account/me returns the profile of the user',
    source: SOURCE,
    run: async ({ rest }) => {
      expectBody(accountUser, await rest.get('/api/account/me'))
    },
  },
  {
    id: 'account.authentication',
    title: 'GET /api/account/me without a token returns 401 Unauthorized',
    source: ERRORS,
    run: async ({ rest }) => {
      expectError(await rest.get('/api/account/me', { token: null }), errors.UNAUTHORIZED, 'bare')
    },
  },
  {
    id: 'account.invalid-token',
    title: 'GET /api/account/me with an invalid token returns 401 Unauthorized',
    source: ERRORS,
    run: async ({ rest }) => {
      expectError(await rest.get('/api/account/me', { token: 'not.a.token' }), errors.UNAUTHORIZED, 'bare')
    },
  },
  {
    id: 'account.profile',
    title: 'PUT /api/account/profile changes the profile, and the change is read back',
    source: SOURCE,
    changes: 'displayName of the profile; restored',
    run: async (context) => {
      const { rest } = context
      const before = expectBody(accountUser, await rest.get('/api/account/me'))
      const { displayName } = before.profile
      context.after(() => rest.put('/api/account/profile', { displayName }))
      const changed = expectBody(
        updatedUser,
        await rest.put('/api/account/profile', { displayName: 'Conformance' }),
      )
      const read = expectBody(accountUser, await rest.get('/api/account/me'))
      for (const user of [changed, read])
        expect(user.profile.displayName === 'Conformance', 'The new displayName is not in the profile')
      expect(read.name === before.name, 'A change of displayName changed the name')
    },
  },
  {
    id: 'account.privacy',
    title: 'PUT /api/account/privacy changes the settings and returns all three',
    source: SOURCE,
    changes: 'shareUsageData; restored',
    run: async (context) => {
      const { rest } = context
      const before = expectBody(privacySettings, await rest.get('/api/account/privacy'))
      context.after(() => rest.put('/api/account/privacy', before))
      const wanted = { ...before, shareUsageData: !before.shareUsageData }
      const changed = expectBody(privacySettings, await rest.put('/api/account/privacy', wanted))
      const read = expectBody(privacySettings, await rest.get('/api/account/privacy'))
      for (const settings of [changed, read])
        expect(settings.shareUsageData === wanted.shareUsageData, 'The new setting is not in the response')
    },
  },
  {
    id: 'account.export-errors',
    title: 'Status and download of an export without an id, or of an unknown one, return 400 and 404',
    source: ERRORS,
    run: async ({ rest }) => {
      const id = 'export_conformance-no-such-export'
      expectError(await rest.get('/api/account/export-status'), errors.EXPORT_ID_REQUIRED, 'bare')
      const status = await rest.get(`/api/account/export-status?id=${id}`)
      expectError(status, errors.EXPORT_REQUEST_NOT_FOUND, 'bare')
      expectError(await rest.get(`/api/account/download-export/${id}`), errors.EXPORT_NOT_FOUND, 'bare')
    },
  },
  {
    id: 'account.export',
    title: 'A requested export completes and is downloaded as JSON',
    source: 'Contract: Data export',
    changes: 'creates a data export, which the cloud deletes after 24 hours',
    lasting: true,
    run: async ({ rest }) => {
      const requested = await rest.post('/api/account/request-export', { body: { format: 'json' } })
      const { id } = expectBody(exportRequestResponse, requested)
      expect(id.startsWith('export_'), `The id of the export does not start with export_: ${id}`)
      for (;;) {
        const answer = await rest.get(`/api/account/export-status?id=${encodeURIComponent(id)}`)
        const { status, downloadUrl } = expectBody(dataExport, answer)
        expect(status !== 'failed', 'The export failed')
        if (status === 'completed') {
          expect(
            downloadUrl === `/api/account/download-export/${id}`,
            `Unexpected downloadUrl ${downloadUrl}`,
          )
          break
        }
        await delay(systemClock, POLL_MS)
      }
      const file = await rest.get(`/api/account/download-export/${encodeURIComponent(id)}`)
      expectStatus(file, 200)
      expect(
        file.headers.get('content-type')?.startsWith('application/json') === true && isRecord(file.body),
        'The file of the export is not JSON',
      )
      expect(file.headers.has('content-disposition'), 'The file has no Content-Disposition')
    },
  },
  {
    id: 'account.oauth-errors',
    title: 'Web sign-in without a package returns 400, to an unknown app 404',
    source: ERRORS,
    run: async ({ rest }) => {
      const token = await rest.post('/api/account/oauth/token', { body: {} })
      expectError(token, errors.PACKAGE_NAME_REQUIRED, 'bare')
      const details = await rest.get('/api/account/oauth/app/conformance.no-such-app')
      expectError(details, errors.APP_NOT_FOUND, 'bare')
    },
  },
  {
    id: 'account.oauth-app',
    title: 'GET /api/account/oauth/app/:packageName returns what the user sees before signing in',
    source: SOURCE,
    run: async (context) => {
      const packageName = await webPackage(context)
      const answer = await context.rest.get(`/api/account/oauth/app/${encodeURIComponent(packageName)}`)
      expectBody(Type.Object({ success: Type.Literal(true), app: webApp }), answer)
    },
  },
  {
    id: 'account.oauth-token',
    title: 'POST /api/account/oauth/token returns a signed JWT that is valid for 10 minutes',
    source: 'Contract: Account, rule 4',
    run: async (context) => {
      const packageName = await webPackage(context)
      const answer = await context.rest.post('/api/account/oauth/token', { body: { packageName } })
      const { token } = expectBody(tokenResponse, answer)
      const claims = expectMatch(
        Type.Object({ iat: Type.Number(), exp: Type.Number() }),
        decodeClaims(token),
        'The claims of the token',
      )
      const lifetime = claims.exp - claims.iat
      expect(lifetime === TOKEN_LIFETIME_S, `The token is valid for ${lifetime} s, not ${TOKEN_LIFETIME_S} s`)
    },
  },
  {
    id: 'account.gallery',
    title: 'GET /api/gallery lists the photos of the user',
    source: 'Contract: Gallery',
    run: async ({ rest }) => {
      const image = Type.Object({ ...galleryPhoto.properties, mimeType: Type.Enum(PHOTO_TYPES) })
      const gallery = Type.Object({ success: Type.Literal(true), photos: Type.Array(image) })
      expectBody(gallery, await rest.get('/api/gallery'))
    },
  },
  {
    id: 'account.gallery-unknown-photo',
    title: 'DELETE /api/gallery/:photoId of an unknown photo returns 404 Photo not found',
    source: ERRORS,
    run: async ({ rest }) => {
      const answer = await rest.send('DELETE', '/api/gallery/conformance-no-such-photo')
      expectError(answer, errors.PHOTO_NOT_FOUND, 'bare')
    },
  },
]

/** The claims of a JWT; its signature is not verified. */
function decodeClaims(token: string): unknown {
  const parts = token.split('.')
  expect(parts.length === 3 && parts[2] !== '', 'The token is not a signed JWT')
  try {
    return JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString())
  } catch {
    return undefined
  }
}

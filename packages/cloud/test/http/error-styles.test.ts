import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlsOf } from '../../src/http/endpoint.ts'
import { startCloud } from '../support/test-cloud.ts'

/** Endpoints of the contract and of groups whose error bodies it prescribes. */
const contract = {
  envelope: [
    'GET /api/apps',
    'GET /api/apps/:packageName',
    'GET /api/apps/available',
    'GET /api/apps/installed',
    'GET /api/apps/public',
    'GET /api/apps/search',
    'GET /api/apps/version',
    'GET /api/tts',
    'POST /api/apps/:packageName/start',
    'POST /api/apps/:packageName/stop',
    'POST /api/apps/install/:packageName',
    'POST /api/apps/uninstall/:packageName',
  ],
  bare: [
    'DELETE /api/gallery/:photoId',
    'GET /api/account/download-export/:id',
    'GET /api/account/export-status',
    'GET /api/account/me',
    'GET /api/account/oauth/app/:packageName',
    'GET /api/account/privacy',
    'GET /api/audio/:userId',
    'GET /api/gallery',
    'GET /api/gallery/:photoId/file',
    'GET /api/permissions/:packageName',
    'GET /api/transcripts/:appSessionId',
    'PATCH /api/permissions/:packageName',
    'POST /api/account/oauth/token',
    'POST /api/account/request-deletion',
    'POST /api/account/request-export',
    'PUT /api/account/privacy',
    'PUT /api/account/profile',
  ],
}

/** Endpoints that phones, the app SDK and web views of the ecosystem call (docs/protocol). */
const ecosystem = {
  envelope: [
    'DELETE /api/sdk/simple-storage/:email',
    'DELETE /api/sdk/simple-storage/:email/:key',
    'GET /api/sdk/simple-storage/:email',
    'GET /api/sdk/simple-storage/:email/:key',
    'PUT /api/sdk/simple-storage/:email',
    'PUT /api/sdk/simple-storage/:email/:key',
  ],
  bare: [
    'DELETE /api/client/user/settings/key/:key',
    'GET /.well-known/jwks.json',
    'GET /api/client/apps',
    'GET /api/client/audio/sounds/:requestId',
    'GET /api/client/livekit/token',
    'GET /api/client/min-version',
    'GET /api/client/user/settings',
    'GET /api/client/user/settings/key/:key',
    'GET /api/hardware/system-photo-request/:requestId',
    'GET /api/onboarding/instructions',
    'GET /api/onboarding/status',
    'GET /api/photos/shared/:photoId/:signature',
    'GET /api/public/permissions/:packageName',
    'GET /api/sdk/version',
    'GET /api/tools/apps/:packageName/tools',
    'GET /api/tools/users/:userId/tools',
    'GET /appsettings/:packageName',
    'GET /appsettings/user/:packageName',
    'GET /health',
    'POST /api/app-communication/discover-users',
    'POST /api/app-uptime/app-pkg-health-check',
    'POST /api/auth/exchange-store-token',
    'POST /api/auth/exchange-token',
    'POST /api/auth/exchange-user-token',
    'POST /api/auth/generate-webview-signed-user-token',
    'POST /api/auth/generate-webview-token',
    'POST /api/auth/hash-with-api-key',
    'POST /api/client/audio/configure',
    'POST /api/client/calendar',
    'POST /api/client/device/state',
    'POST /api/client/feedback',
    'POST /api/client/goodbye',
    'POST /api/client/location',
    'POST /api/client/location/poll-response/:correlationId',
    'POST /api/client/notifications',
    'POST /api/client/notifications/dismissed',
    'POST /api/client/photo/response',
    'POST /api/client/user/settings',
    'POST /api/error-report',
    'POST /api/hardware/button-press',
    'POST /api/incidents',
    'POST /api/incidents/:incidentId/attachments',
    'POST /api/incidents/:incidentId/logs',
    'POST /api/onboarding/complete',
    'POST /api/photos/upload',
    'POST /api/tools/apps/:packageName/tool',
    'POST /api/user-data/set-datetime',
    'POST /api/videos/upload',
    'POST /appsettings/:packageName',
    'PUT /api/client/user/settings',
    'PUT /api/client/user/settings/key/:key',
  ],
}

/** Endpoints of our own that are not coded yet: those may leave this list, and none may join it. */
const notYetCoded =
  /^[A-Z]+ (\/api\/auth\/|\/auth\/|\/api\/account\/exports$|\/(assets|docs)(\/|$)|\/($|[\w-]+\.(svg|png|webmanifest|js|html|css)|asyncapi\.json|openapi\.json|metrics|healthz|readyz))/

test('HTTP-8: endpoints that neither the contract nor the ecosystem prescribes have coded errors', async (t) => {
  const { cloud } = await startCloud(t)
  const styles = new Map(
    cloud.server.endpoints.map((endpoint) => [`${endpoint.method} ${urlsOf(endpoint)[0]}`, endpoint.style]),
  )
  for (const style of ['envelope', 'bare'] as const) {
    const prescribed = [...contract[style], ...ecosystem[style]].sort()
    const used = [...styles].filter(([name, used]) => used === style && !isPending(name, prescribed))
    assert.deepEqual(used.map(([name]) => name).sort(), prescribed)
  }
  const supabase = [...styles].filter(([, style]) => style === 'supabase').map(([name]) => name)
  assert.deepEqual(
    supabase,
    [...styles.keys()].filter((name) => name.includes(' /auth/v1/')),
  )
})

function isPending(name: string, prescribed: readonly string[]): boolean {
  return notYetCoded.test(name) && !prescribed.includes(name)
}

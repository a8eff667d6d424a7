import type { AuthorizationFixtures } from './authorization-fixtures.ts'

/** What an endpoint returns to callers with a valid credential, when it names a resource of another user. */
export interface Row {
  /** The path of the request; a resource it names belongs to the victim. */
  path(fixtures: AuthorizationFixtures): string
  readonly body?: unknown
  /** Invalidates the token it is called with, so the test uses a throwaway token. */
  readonly voids?: true
  /** Status for the stranger, whose credential is valid. */
  readonly stranger: number
  /** Status for the owner, which proves that the resource exists; defaults to `stranger`. */
  readonly owner?: number
}

const at = (path: string) => () => path
const open = (path: string): Row => ({ path: at(path), stranger: 200 })
/** A report of a phone about its own user; an authorized caller gets 400, because the body is not a report. */
const report = (path: string): Row => ({ path: at(path), body: [], stranger: 400 })
/** Simple storage of the victim, who installed the owner's app and not the stranger's. */
const storage = (key: string): Row => ({
  path: ({ victim }) => `/api/sdk/simple-storage/${victim.email}${key}`,
  stranger: 403,
  owner: 200,
})
/** A token for the web view of the victim's app, which is not visible to the stranger. */
const webview = (name: string): Row => ({
  path: at(`/api/auth/${name}`),
  body: { packageName: 'victim.app', stringToHash: 'victim@example.org' },
  stranger: 404,
  owner: 200,
})
/** Only administrators may do this; the owner is one. */
const administration = (path: string, owner = 200): Row => ({
  path: at(`/api/admin${path}`),
  stranger: 403,
  owner,
})
/** An app of the victim's organization in the developer API. */
const ownApp = (rest: string, packageName = 'victim.app'): Row => ({
  path: at(`/api/console/apps/${packageName}${rest}`),
  stranger: 404,
  owner: 200,
})
/** The victim's organization, which only its members see. */
const organization = (rest: string): Row => ({
  path: ({ organizationId }) => `/api/console/orgs/${organizationId}${rest}`,
  stranger: 404,
  owner: 200,
})
const output = { url: 'rtmp://live.example.com/app/another', name: 'another' }

/**
 * One row per mounted endpoint: the status for the stranger and for the owner of the resource it names. The tests send
 * the owner's requests in this order.
 */
export const authorizationMatrix: Readonly<Record<string, Row>> = {
  'GET /healthz': open('/healthz'),
  'GET /readyz': open('/readyz'),
  'GET /metrics': open('/metrics'),
  'GET /health': open('/health'),
  'GET /openapi.json': open('/openapi.json'),
  'GET /asyncapi.json': open('/asyncapi.json'),
  'GET /docs': open('/docs'),
  'GET /docs/:file': open('/docs/start.js'),
  'GET /': open('/'),
  'GET /glasses/even': open('/glasses/even'),
  'GET /glasses/reach': open('/glasses/reach'),
  'POST /api/reachability-tests': open('/api/reachability-tests'),
  // An unknown code; those of others are covered by the tests of the reachability test.
  'POST /api/reachability-tests/report': {
    path: at('/api/reachability-tests/report'),
    body: { code: 'x' },
    stranger: 404,
  },
  'POST /api/reachability-tests/result': {
    ...open('/api/reachability-tests/result'),
    body: { code: 'x' },
  },
  'GET /glasses/bridge/miniapp.json': open('/glasses/bridge/miniapp.json'),
  'GET /glasses/bridge/icon.png': open('/glasses/bridge/icon.png'),
  'GET /glasses/bridge/bundle.zip': open('/glasses/bridge/bundle.zip'),
  'GET /glasses/bridge/bundle.zip.sha256': open('/glasses/bridge/bundle.zip.sha256'),
  'GET /favicon.svg': open('/favicon.svg'),
  // Unknown files, streams and tokens.
  'GET /assets/:file': { path: at('/assets/unknown.js'), stranger: 404 },
  'GET /streams/player/:asset': { path: at('/streams/player/unknown.js'), stranger: 404 },
  'GET /streams/:inputId/:token': { path: at('/streams/unknown/unknown'), stranger: 404 },
  'GET /streams/:inputId/:token/:file': { path: at('/streams/unknown/unknown/index.m3u8'), stranger: 404 },
  'GET /.well-known/security.txt': { path: at('/.well-known/security.txt'), stranger: 404 },
  'GET /api/tls/authority': open('/api/tls/authority'),
  'GET /tls/authority.crt': { path: at('/tls/authority.crt'), stranger: 404 },
  'GET /.well-known/jwks.json': open('/.well-known/jwks.json'),
  'POST /api/auth/glasses-token': open('/api/auth/glasses-token'),
  'POST /api/auth/refresh': open('/api/auth/refresh'),
  'GET /api/auth/options': open('/api/auth/options'),
  'GET /api/auth/get-session': open('/api/auth/get-session'),
  'POST /api/auth/sign-out': open('/api/auth/sign-out'),
  // The address is not valid.
  'POST /api/auth/sign-up/email': {
    path: at('/api/auth/sign-up/email'),
    body: { email: 'nobody', password: 'an unknown password' },
    stranger: 400,
  },
  'POST /api/auth/sign-in/email': {
    path: at('/api/auth/sign-in/email'),
    body: { email: 'nobody', password: 'wrong' },
    stranger: 401,
  },
  'POST /api/auth/device': { ...open('/api/auth/device'), body: {} },
  // An unknown code; issued ones are covered by the tests of device sign-in.
  'POST /api/auth/device/token': {
    path: at('/api/auth/device/token'),
    body: { device_code: 'x' },
    stranger: 400,
  },
  'GET /api/auth/device/:userCode': { path: at('/api/auth/device/BCDF-GHJK'), stranger: 404 },
  'POST /api/auth/device/approve': {
    path: at('/api/auth/device/approve'),
    body: { userCode: 'BCDF-GHJK' },
    stranger: 404,
  },
  'POST /api/auth/device/deny': {
    path: at('/api/auth/device/deny'),
    body: { userCode: 'BCDF-GHJK' },
    stranger: 404,
  },
  // Nobody has this address.
  'POST /api/auth/request-password-reset': {
    ...open('/api/auth/request-password-reset'),
    body: { email: 'nobody' },
  },
  'POST /api/auth/send-verification-email': {
    ...open('/api/auth/send-verification-email'),
    body: { email: 'nobody' },
  },
  // Unknown tokens and codes; issued ones are covered by the tests of the accounts.
  'POST /api/auth/reset-password': {
    path: at('/api/auth/reset-password'),
    body: { token: 'x', newPassword: 'an unknown password' },
    stranger: 400,
  },
  'POST /api/auth/verify-email': { path: at('/api/auth/verify-email'), body: { token: 'x' }, stranger: 400 },
  'POST /api/auth/two-factor/verify-totp': {
    path: at('/api/auth/two-factor/verify-totp'),
    body: { code: '000000' },
    stranger: 401,
  },
  'POST /api/auth/two-factor/verify-backup-code': {
    path: at('/api/auth/two-factor/verify-backup-code'),
    body: { code: 'x' },
    stranger: 401,
  },
  // The address is not valid, the refresh token unknown; sessions are covered by the tests of Supabase Auth.
  'POST /auth/v1/signup': {
    path: at('/auth/v1/signup'),
    body: { email: 'nobody', password: 'an unknown password' },
    stranger: 400,
  },
  'POST /auth/v1/token': {
    path: at('/auth/v1/token?grant_type=refresh_token'),
    body: { refresh_token: 'x' },
    stranger: 400,
  },
  'POST /auth/v1/recover': { ...open('/auth/v1/recover'), body: { email: 'nobody' } },
  'POST /auth/v1/resend': { ...open('/auth/v1/resend'), body: { type: 'signup', email: 'nobody' } },
  'GET /auth/v1/user': open('/auth/v1/user'),
  // The present password is missing, and the token belongs to no login.
  'PUT /auth/v1/user': {
    path: at('/auth/v1/user'),
    body: { password: 'an unknown password' },
    stranger: 400,
  },
  'POST /auth/v1/logout': { path: at('/auth/v1/logout'), stranger: 401 },
  // These require the cookie of a session, which a core token does not replace.
  'POST /api/auth/change-password': {
    path: at('/api/auth/change-password'),
    body: { currentPassword: 'x', newPassword: 'an unknown password' },
    stranger: 401,
  },
  'POST /api/auth/two-factor/enable': {
    path: at('/api/auth/two-factor/enable'),
    body: { password: 'x' },
    stranger: 401,
  },
  'POST /api/auth/two-factor/disable': {
    path: at('/api/auth/two-factor/disable'),
    body: { password: 'x' },
    stranger: 401,
  },
  'POST /api/auth/two-factor/generate-backup-codes': {
    path: at('/api/auth/two-factor/generate-backup-codes'),
    body: { password: 'x' },
    stranger: 401,
  },
  // These require a recent sign-in, which the core tokens here do not come from.
  'POST /api/auth/passkeys/registration-options': {
    path: at('/api/auth/passkeys/registration-options'),
    stranger: 403,
  },
  'POST /api/auth/passkeys': {
    path: at('/api/auth/passkeys'),
    body: {
      credential: {
        id: 'x',
        rawId: 'x',
        type: 'public-key',
        response: { clientDataJSON: 'x', attestationObject: 'x' },
      },
    },
    stranger: 403,
  },
  'GET /api/auth/passkeys': open('/api/auth/passkeys'),
  'PATCH /api/auth/passkeys/:id': {
    path: ({ passkeyId }) => `/api/auth/passkeys/${passkeyId}`,
    body: { name: 'mine' },
    stranger: 404,
    owner: 200,
  },
  'DELETE /api/auth/passkeys/:id': {
    path: ({ passkeyId }) => `/api/auth/passkeys/${passkeyId}`,
    stranger: 404,
    owner: 200,
  },
  'POST /api/auth/passkeys/sign-in-options': {
    path: at('/api/auth/passkeys/sign-in-options'),
    stranger: 200,
  },
  'POST /api/auth/passkeys/sign-in': {
    path: at('/api/auth/passkeys/sign-in'),
    body: {
      credential: {
        id: 'x',
        rawId: 'x',
        type: 'public-key',
        response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x', userHandle: 'x' },
      },
    },
    // The requests before were too many guesses.
    stranger: 429,
  },
  // No issuer is configured.
  'POST /api/auth/sign-in/oidc': { path: at('/api/auth/sign-in/oidc'), body: { issuer: 'x' }, stranger: 501 },
  'GET /api/auth/sign-in-methods': open('/api/auth/sign-in-methods'),
  'DELETE /api/auth/sign-in-methods/:id': { path: at('/api/auth/sign-in-methods/1'), stranger: 404 },
  // Requires a recent sign-in, which the core tokens here do not come from.
  'POST /api/auth/sign-in-methods/oidc': {
    path: at('/api/auth/sign-in-methods/oidc'),
    body: { issuer: 'x' },
    stranger: 403,
  },
  // Redirects to the sign-in page, which is followed here.
  'GET /api/auth/callback/:issuer': { path: at('/api/auth/callback/x?code=x&state=x'), stranger: 302 },
  'GET /api/auth/invitations': { path: at('/api/auth/invitations'), stranger: 403, owner: 200 },
  'POST /api/auth/invitations': { path: at('/api/auth/invitations'), stranger: 403, owner: 200 },
  'DELETE /api/auth/invitations/:id': { path: at('/api/auth/invitations/1'), stranger: 403, owner: 404 },
  'POST /api/auth/logout-everywhere': { ...open('/api/auth/logout-everywhere'), voids: true },
  'GET /api/auth/logins': open('/api/auth/logins'),
  'DELETE /api/auth/logins/:id': {
    path: ({ loginId }) => `/api/auth/logins/${loginId}`,
    stranger: 404,
    owner: 200,
  },
  'GET /api/auth/tokens': open('/api/auth/tokens'),
  'POST /api/auth/tokens': {
    path: at('/api/auth/tokens'),
    body: { name: 'ci', scopes: ['apps:read'] },
    stranger: 403,
  },
  'DELETE /api/auth/tokens/:id': {
    path: ({ personalTokenId }) => `/api/auth/tokens/${personalTokenId}`,
    stranger: 404,
    owner: 200,
  },
  'POST /api/auth/logout': { ...open('/api/auth/logout'), voids: true },

  'GET /api/apps': open('/api/apps'),
  'GET /api/apps/public': open('/api/apps/public'),
  'GET /api/apps/search': {
    path: ({ organizationId }) => `/api/apps/search?q=victim&organizationId=${organizationId}`,
    stranger: 200,
  },
  'GET /api/apps/available': {
    path: ({ organizationId }) => `/api/apps/available?organizationId=${organizationId}`,
    stranger: 200,
  },
  'GET /api/apps/installed': open('/api/apps/installed'),
  'GET /api/apps/version': open('/api/apps/version'),
  'GET /api/apps/:packageName': { path: at('/api/apps/victim.app'), stranger: 404, owner: 200 },
  'POST /api/apps/install/:packageName': {
    path: at('/api/apps/install/victim.app'),
    stranger: 404,
    owner: 200,
  },
  // The app server is unreachable, so a start that is permitted fails with 500.
  'POST /api/apps/:packageName/start': { path: at('/api/apps/victim.app/start'), stranger: 404, owner: 500 },
  'POST /api/apps/:packageName/permissions/accept': {
    path: at('/api/apps/victim.app/permissions/accept'),
    body: { permissions: ['MICROPHONE'] },
    stranger: 404,
    owner: 200,
  },
  'POST /api/apps/:packageName/stop': { path: at('/api/apps/victim.app/stop'), stranger: 404, owner: 200 },
  'POST /api/apps/uninstall/:packageName': {
    path: at('/api/apps/uninstall/victim.app'),
    stranger: 404,
    owner: 200,
  },

  'GET /api/account/me': open('/api/account/me'),
  'PUT /api/account/profile': { ...open('/api/account/profile'), body: { displayName: 'Changed' } },
  'GET /api/account/privacy': open('/api/account/privacy'),
  'PUT /api/account/privacy': { ...open('/api/account/privacy'), body: { shareUsageData: true } },
  'POST /api/account/request-export': open('/api/account/request-export'),
  'GET /api/account/exports': open('/api/account/exports'),
  'GET /api/account/deletion': open('/api/account/deletion'),
  'GET /api/account/export-status': {
    path: ({ exportId }) => `/api/account/export-status?id=${exportId}`,
    stranger: 403,
    owner: 200,
  },
  'GET /api/account/download-export/:id': {
    path: ({ exportId }) => `/api/account/download-export/${exportId}`,
    stranger: 403,
    owner: 200,
  },
  'GET /api/account/oauth/app/:packageName': {
    path: at('/api/account/oauth/app/victim.app'),
    stranger: 404,
    owner: 200,
  },
  'POST /api/account/oauth/token': {
    path: at('/api/account/oauth/token'),
    body: { packageName: 'victim.app' },
    stranger: 404,
    owner: 200,
  },

  'GET /api/permissions/:packageName': { path: at('/api/permissions/victim.app'), stranger: 403, owner: 200 },
  'PATCH /api/permissions/:packageName': {
    path: at('/api/permissions/victim.app'),
    body: { permissions: [] },
    stranger: 403,
    owner: 200,
  },

  'GET /api/admin/users': administration('/users'),
  'POST /api/admin/users/:userId/suspend': administration('/users/unknown/suspend', 404),
  'POST /api/admin/users/:userId/reinstate': administration('/users/unknown/reinstate', 404),
  'PUT /api/admin/users/:userId/administrator': {
    ...administration('/users/unknown/administrator', 404),
    body: { isAdministrator: true },
  },
  'DELETE /api/admin/users/:userId': administration('/users/unknown', 404),
  'GET /api/admin/apps': administration('/apps'),
  'POST /api/admin/apps/:packageName/approve': {
    ...administration('/apps/victim.app/approve', 409),
    body: { revision: 'none' },
  },
  'POST /api/admin/apps/:packageName/reject': {
    ...administration('/apps/victim.app/reject', 409),
    body: { revision: 'none', notes: 'No' },
  },
  'GET /api/admin/sessions': administration('/sessions'),
  'DELETE /api/admin/sessions/:userId': administration('/sessions/unknown', 404),
  'GET /api/admin/stream': administration('/stream?seconds=0'),
  'GET /api/admin/nodes': administration('/nodes'),
  'GET /api/admin/metrics': administration('/metrics'),
  'GET /api/admin/events': administration('/events'),
  'GET /api/admin/checks': administration('/checks'),
  'GET /api/admin/reports': administration('/reports'),
  'GET /api/admin/incidents': administration('/incidents'),
  'GET /api/admin/incidents/:incidentId/attachments/:attachmentId': administration(
    '/incidents/unknown/attachments/unknown',
    404,
  ),
  'GET /api/admin/system-apps': administration('/system-apps'),
  'GET /api/admin/settings': administration('/settings'),
  'GET /api/admin/audit': administration('/audit'),
  'GET /api/admin/speech-models': administration('/speech-models'),
  'POST /api/admin/speech-models': {
    ...administration('/speech-models', 404),
    body: { id: 'unknown' },
  },
  'POST /api/admin/speech-models/:id/cancel': administration('/speech-models/unknown/cancel', 404),
  'DELETE /api/admin/speech-models/:id': administration('/speech-models/unknown', 404),

  'GET /api/console/account': open('/api/console/account'),
  'GET /api/console/apps': open('/api/console/apps'),
  // The manifest is empty, so an authorized caller gets 400.
  'POST /api/console/apps': { path: at('/api/console/apps'), body: {}, stranger: 400 },
  'GET /api/console/apps/:packageName': ownApp(''),
  'PATCH /api/console/apps/:packageName': { ...ownApp(''), body: { description: 'Changed' } },
  'POST /api/console/apps/:packageName/publish': { ...ownApp('/publish', 'unlisted.app') },
  'POST /api/console/apps/:packageName/unpublish': ownApp('/unpublish', 'unlisted.app'),
  'POST /api/console/apps/:packageName/move': { ...ownApp('/move'), body: { orgId: 'victims' } },
  'GET /api/console/apps/:packageName/keys': ownApp('/keys'),
  'POST /api/console/apps/:packageName/keys': ownApp('/keys', 'unlisted.app'),
  'DELETE /api/console/apps/:packageName/keys/:keyId': {
    path: ({ unlistedKeyId }) => `/api/console/apps/unlisted.app/keys/${unlistedKeyId}`,
    stranger: 404,
    owner: 200,
  },
  // The body is not a form, so an authorized caller gets 415.
  'POST /api/console/apps/:packageName/logo': { ...ownApp('/logo'), owner: 415 },
  'POST /api/console/apps/:packageName/screenshots': { ...ownApp('/screenshots'), owner: 415 },
  'DELETE /api/console/apps/:packageName/screenshots/:image': {
    path: at(`/api/console/apps/victim.app/screenshots/${'0'.repeat(32)}.png`),
    stranger: 404,
  },
  'POST /api/console/apps/:packageName/ping': ownApp('/ping'),
  'DELETE /api/console/apps/:packageName': ownApp('', 'unlisted.app'),
  'GET /api/console/apps/:packageName/logs': ownApp('/logs'),
  'GET /api/console/apps/:packageName/logs/stream': ownApp('/logs/stream?seconds=0'),
  'GET /api/session': open('/api/session'),
  'GET /api/session/events': open('/api/session/events?seconds=0'),
  'GET /api/console/apps/:packageName/usage': ownApp('/usage'),
  // An unknown image; uploaded ones are covered by the tests of images.
  'GET /api/app-images/:image': { path: at(`/api/app-images/${'0'.repeat(32)}.png`), stranger: 404 },

  'GET /api/console/orgs': open('/api/console/orgs'),
  // The name is missing, so an authorized caller gets 400.
  'POST /api/console/orgs': { path: at('/api/console/orgs'), body: {}, stranger: 400 },
  // An unknown token; issued ones are covered by the tests of organizations.
  'POST /api/console/orgs/accept/:token': { path: at('/api/console/orgs/accept/unknown'), stranger: 404 },
  'GET /api/console/orgs/:org': organization(''),
  'PATCH /api/console/orgs/:org': { ...organization(''), body: { name: 'Victims' } },
  'DELETE /api/console/orgs/:org': { ...organization(''), owner: 409 },
  'POST /api/console/orgs/:org/members': { ...organization('/members'), body: { email: 'new@example.org' } },
  'PATCH /api/console/orgs/:org/members/:userId': {
    path: ({ organizationId, victim }) => `/api/console/orgs/${organizationId}/members/${victim.id}`,
    body: { role: 'admin' },
    stranger: 404,
    owner: 200,
  },
  'DELETE /api/console/orgs/:org/members/:userId': {
    path: ({ organizationId, victim }) => `/api/console/orgs/${organizationId}/members/${victim.id}`,
    stranger: 404,
    owner: 409,
  },
  'POST /api/console/orgs/:org/invitations/:invitation/resend': {
    path: ({ organizationId, invitationId }) =>
      `/api/console/orgs/${organizationId}/invitations/${invitationId}/resend`,
    stranger: 404,
    owner: 200,
  },
  'DELETE /api/console/orgs/:org/invitations/:invitation': {
    path: ({ organizationId, invitationId }) =>
      `/api/console/orgs/${organizationId}/invitations/${invitationId}`,
    stranger: 404,
    owner: 200,
  },

  // Nobody plays a sound: a test of the endpoint compares the user with others (PLAY-11).
  'GET /api/client/audio/sounds/:requestId': {
    path: at('/api/client/audio/sounds/1'),
    stranger: 404,
  },
  'POST /api/client/audio/configure': report('/api/client/audio/configure'),
  'POST /api/client/calendar': report('/api/client/calendar'),
  'POST /api/client/device/state': report('/api/client/device/state'),
  'POST /api/client/location': report('/api/client/location'),
  'POST /api/client/location/poll-response/:correlationId': report('/api/client/location/poll-response/1'),
  'POST /api/client/notifications': report('/api/client/notifications'),
  'POST /api/client/notifications/dismissed': report('/api/client/notifications/dismissed'),
  'POST /api/user-data/set-datetime': report('/api/user-data/set-datetime'),

  'GET /appsettings/:packageName': { path: at('/appsettings/victim.app'), stranger: 404, owner: 200 },
  'POST /appsettings/:packageName': {
    path: at('/appsettings/victim.app'),
    body: [],
    stranger: 404,
    owner: 200,
  },
  'GET /appsettings/user/:packageName': {
    path: at('/appsettings/user/viewer.app'),
    stranger: 401,
    owner: 200,
  },
  'GET /api/client/user/settings': open('/api/client/user/settings'),
  'PUT /api/client/user/settings': { ...open('/api/client/user/settings'), body: { settings: {} } },
  'POST /api/client/user/settings': { ...open('/api/client/user/settings'), body: { settings: {} } },
  'GET /api/client/user/settings/key/:key': open('/api/client/user/settings/key/brightness'),
  'PUT /api/client/user/settings/key/:key': {
    ...open('/api/client/user/settings/key/brightness'),
    body: { value: 1 },
  },
  'DELETE /api/client/user/settings/key/:key': open('/api/client/user/settings/key/brightness'),

  'PUT /api/sdk/simple-storage/:email': { ...storage(''), body: { data: { note: 'text' } } },
  'PUT /api/sdk/simple-storage/:email/:key': { ...storage('/note'), body: { value: 'text' } },
  'GET /api/sdk/simple-storage/:email': storage(''),
  'GET /api/sdk/simple-storage/:email/:key': storage('/note'),
  'DELETE /api/sdk/simple-storage/:email/:key': storage('/note'),
  'DELETE /api/sdk/simple-storage/:email': storage(''),

  'GET /api/client/min-version': open('/api/client/min-version'),
  'GET /api/client/apps': open('/api/client/apps'),
  'GET /api/client/livekit/token': { path: at('/api/client/livekit/token'), stranger: 404 },
  'POST /api/client/goodbye': open('/api/client/goodbye'),
  'POST /api/client/feedback': { ...open('/api/client/feedback'), body: { feedback: 'good' } },
  'POST /api/error-report': { ...open('/api/error-report'), body: { message: 'bad' } },
  'POST /api/incidents': { ...open('/api/incidents'), body: { feedback: 'bad' } },
  'POST /api/incidents/:incidentId/logs': {
    path: ({ incidentId }) => `/api/incidents/${incidentId}/logs`,
    body: { logs: [] },
    stranger: 404,
    owner: 200,
  },
  // The body is not a form, so an authorized caller gets 415.
  'POST /api/incidents/:incidentId/attachments': {
    path: ({ incidentId }) => `/api/incidents/${incidentId}/attachments`,
    stranger: 404,
    owner: 415,
  },
  'GET /api/incidents/:incidentId/attachments/:attachmentId': {
    path: ({ incidentId, attachmentId }) => `/api/incidents/${incidentId}/attachments/${attachmentId}`,
    stranger: 404,
    owner: 200,
  },
  'POST /api/app-uptime/app-pkg-health-check': {
    ...open('/api/app-uptime/app-pkg-health-check'),
    body: { packageName: 'some.app' },
  },
  'GET /api/onboarding/status': {
    path: ({ victim }) => `/api/onboarding/status?email=${victim.email}&packageName=victim.app`,
    stranger: 403,
    owner: 200,
  },
  // A published app, because credentials in the query name their own package.
  'GET /api/onboarding/instructions': open('/api/onboarding/instructions?packageName=viewer.app'),
  'POST /api/onboarding/complete': {
    path: at('/api/onboarding/complete'),
    body: { email: 'victim@example.org', packageName: 'victim.app' },
    stranger: 403,
    owner: 200,
  },
  'GET /api/sdk/version': open('/api/sdk/version'),
  // The endpoint is public and the app is not published.
  'GET /api/public/permissions/:packageName': {
    path: at('/api/public/permissions/victim.app'),
    stranger: 404,
  },

  'POST /api/auth/generate-webview-token': webview('generate-webview-token'),
  'POST /api/auth/generate-webview-signed-user-token': webview('generate-webview-signed-user-token'),
  'POST /api/auth/hash-with-api-key': webview('hash-with-api-key'),
  // Neither an identity provider nor a store is configured.
  'POST /api/auth/exchange-token': {
    path: at('/api/auth/exchange-token'),
    body: { supabaseToken: 'x' },
    stranger: 501,
  },
  'POST /api/auth/exchange-store-token': {
    path: at('/api/auth/exchange-store-token'),
    body: { aos_temp_token: '0'.repeat(64), packageName: 'viewer.app' },
    stranger: 501,
  },
  // An unknown token; issued ones are covered by the web view tests.
  'POST /api/auth/exchange-user-token': {
    path: at('/api/auth/exchange-user-token'),
    body: { aos_temp_token: '0'.repeat(64), packageName: 'viewer.app' },
    stranger: 401,
  },

  // The signature in the path is the credential; another one finds nothing.
  'GET /api/photos/shared/:photoId/:signature': {
    path: ({ photoId }) => `/api/photos/shared/${photoId}/${'A'.repeat(43)}`,
    stranger: 404,
  },
  'POST /api/auth/app-token': { path: at('/api/auth/app-token'), stranger: 200 },
  'POST /api/app-communication/discover-users': {
    path: at('/api/app-communication/discover-users'),
    body: {},
    stranger: 200,
    owner: 200,
  },

  'GET /api/gallery': open('/api/gallery'),
  'GET /api/gallery/:photoId/file': {
    path: ({ photoId }) => `/api/gallery/${photoId}/file`,
    stranger: 404,
    owner: 200,
  },
  'GET /api/gallery/:photoId/thumbnails/:size': {
    path: ({ photoId }) => `/api/gallery/${photoId}/thumbnails/480`,
    stranger: 404,
    owner: 200,
  },
  'DELETE /api/gallery/:photoId': {
    path: ({ photoId }) => `/api/gallery/${photoId}`,
    stranger: 403,
    owner: 200,
  },
  // The body is not a form, so an authorized caller gets 415.
  'POST /api/photos/upload': { path: at('/api/photos/upload'), stranger: 415 },
  'POST /api/videos/upload': { path: at('/api/videos/upload'), stranger: 415 },
  'POST /api/client/photo/response': {
    ...open('/api/client/photo/response'),
    body: { requestId: 'victims', success: false },
  },

  'GET /api/tools/apps/:packageName/tools': {
    path: at('/api/tools/apps/victim.app/tools'),
    stranger: 404,
    owner: 200,
  },
  'GET /api/tools/users/:userId/tools': {
    path: ({ victim }) => `/api/tools/users/${victim.email}/tools`,
    stranger: 403,
    owner: 200,
  },
  // The app is not installed, which is reported only to users who may see it.
  'POST /api/tools/apps/:packageName/tool': {
    path: at('/api/tools/apps/victim.app/tool'),
    body: { toolId: 'note' },
    stranger: 404,
    owner: 403,
  },

  // No app subscribes to buttons, so every caller takes a photo for themselves.
  'POST /api/hardware/button-press': {
    ...open('/api/hardware/button-press'),
    body: { buttonId: 'camera', pressType: 'short' },
  },
  'GET /api/hardware/system-photo-request/:requestId': {
    path: at('/api/hardware/system-photo-request/unknown'),
    stranger: 404,
  },

  // `AUDIO_PACKAGE` may read the audio of every user; nothing was recorded here.
  'GET /api/audio/:userId': {
    path: ({ victim }) => `/api/audio/${victim.email}?userId=${victim.email}`,
    stranger: 404,
  },
  'GET /api/transcripts/:appSessionId': {
    path: ({ appSessionId }) => `/api/transcripts/${appSessionId}?duration=60`,
    stranger: 403,
    owner: 200,
  },
  'GET /api/tts': { path: at('/api/tts'), stranger: 400 },

  'GET /api/streams/:streamId/outputs': {
    path: ({ streamId }) => `/api/streams/${streamId}/outputs`,
    stranger: 403,
    owner: 200,
  },
  'POST /api/streams/:streamId/outputs': {
    path: ({ streamId }) => `/api/streams/${streamId}/outputs`,
    body: output,
    stranger: 403,
    owner: 200,
  },
  'DELETE /api/streams/:streamId/outputs/:outputId': {
    path: ({ streamId, outputId }) => `/api/streams/${streamId}/outputs/${outputId}`,
    stranger: 403,
    owner: 200,
  },

  'POST /api/account/request-deletion': { ...open('/api/account/request-deletion'), voids: true },
}

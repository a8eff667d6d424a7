/** Calls of a client that the cloud does not have. */
export interface MissingCalls {
  readonly client: string
  /** `METHOD /path`; parameters begin with a colon, `*` stands for any further path. */
  readonly calls: readonly string[]
  readonly reason: string
}

/**
 * What the clients of the retired reference cloud call in vain, as their sources of March 2026 show. The store, the
 * console and the account pages are web pages that its operator hosted; the phone is the mobile app.
 */
export const MISSING_CALLS: readonly MissingCalls[] = [
  {
    client: 'store',
    calls: [
      'GET /api/store/published-apps',
      'GET /api/store/published-apps-loggedin',
      'GET /api/store/search',
      'GET /api/store/installed',
      'GET /api/store/:packageName',
      'POST /api/store/install/:packageName',
      'POST /api/store/uninstall/:packageName',
      'POST /api/store/:packageName/start',
      'POST /api/store/:packageName/stop',
      'GET /api/store/user/me',
    ],
    reason:
      'the same is at `/api/apps/*` and `/api/account/me`, which the contract defines; the console at `/` contains a store',
  },
  {
    client: 'console',
    calls: ['PUT /api/console/apps/:packageName', 'PUT /api/dev/apps/:packageName'],
    reason: 'the developer API changes an app with `PATCH`, which leaves out what is not to be changed',
  },
  {
    client: 'console',
    calls: ['PUT /api/console/orgs/:orgId', 'PUT /api/orgs/:orgId'],
    reason: 'an organization is changed with `PATCH`',
  },
  {
    client: 'console',
    calls: [
      'POST /api/console/orgs/:orgId/invites/resend',
      'POST /api/console/orgs/:orgId/invites/rescind',
      'POST /api/orgs/:orgId/invites/resend',
      'POST /api/orgs/:orgId/invites/rescind',
    ],
    reason: 'invitations are addressed by their id, not by an e-mail address in the body',
  },
  {
    client: 'console',
    calls: ['POST /api/dev/images/upload', 'DELETE /api/dev/images/:imageId'],
    reason:
      'images belong to an app and are uploaded to it; the reference kept them at a service for images and knew no owner',
  },
  {
    client: 'console',
    calls: [
      'PATCH /api/dev/apps/:packageName/visibility',
      'PATCH /api/dev/apps/:packageName/share-emails',
      'GET /api/dev/apps/:packageName/share',
      'POST /api/dev/apps/:packageName/share',
    ],
    reason: 'the members of the organization of an app see it; there is no other way to share it',
  },
  {
    client: 'console',
    calls: ['GET /api/dev/auth/me', 'PUT /api/dev/auth/profile'],
    reason: '`GET /api/console/account` returns the account; organizations have the profile of the developer',
  },
  {
    client: 'console',
    calls: [
      'GET /api/console/cli-keys',
      'POST /api/console/cli-keys',
      'GET /api/console/cli-keys/:keyId',
      'PATCH /api/console/cli-keys/:keyId',
      'DELETE /api/console/cli-keys/:keyId',
    ],
    reason: 'the command line signs in with a code (RFC 8628), scripts use the tokens of `/api/auth/tokens`',
  },
  {
    client: 'console',
    calls: ['POST /api/apps/verify-url'],
    reason:
      'it made the cloud call any address; `POST /api/console/apps/:packageName/ping` tests that of an app',
  },
  {
    client: 'console',
    calls: [
      'GET /api/app-uptime/status',
      'GET /api/app-uptime/ping',
      'GET /api/app-uptime/get-app-uptime-days',
    ],
    reason:
      'availability is not recorded by the month; `GET /api/apps/:packageName` shows the present state, `/api/console/apps/:packageName/usage` the errors of each day',
  },
  {
    client: 'console',
    calls: [
      'GET /api/admin/check',
      'GET /api/admin/apps/stats',
      'GET /api/admin/apps/submitted',
      'GET /api/admin/apps/:packageName',
      'POST /api/admin/users',
      'GET /api/admin/debug',
      'POST /api/admin/fix-app-statuses',
      'POST /api/admin/create-test-submission',
      'POST /api/admin/bootstrap-admin',
    ],
    reason:
      'administration has its own API at `/api/admin` (`/docs`); the last four were tools of the reference for its own data',
  },
  {
    client: 'console',
    calls: [
      'GET /api/console/admin/incidents',
      'GET /api/console/admin/incidents/:incidentId',
      'GET /api/console/admin/incidents/:incidentId/logs',
      'GET /api/console/admin/incidents/:incidentId/attachments/:filename',
    ],
    reason: 'reports of phones are at `/api/admin/reports`',
  },
  {
    client: 'account pages, phone',
    calls: ['DELETE /api/account/confirm-deletion'],
    reason:
      'a deletion is immediate and needs no confirmation by e-mail; `POST /api/account/request-deletion` deletes',
  },
  {
    client: 'phone',
    calls: ['GET /api/client/livekit/token'],
    reason: 'audio is sent on the glasses socket; phones fall back to it after any error',
  },
]

/** Returns the section of the page about these calls. */
export function formatMissingCalls(): string {
  const rows = MISSING_CALLS.map(
    ({ client, calls, reason }) =>
      `| ${client} | ${calls.map((call) => `\`${call}\``).join('<br>')} | ${reason} |`,
  )
  return `## Clients of the retired reference

What the store, the console, the account pages and the mobile app of the reference cloud (March 2026) call and this cloud
answers with 404, 405 or 410. All other calls in their sources have an endpoint here. The [console](console.md) at \`/\` of
this cloud replaces the three web clients. To run them nevertheless, build them with an identity provider of your own, whose
tokens \`POST /api/auth/exchange-token\` accepts once it is configured.

| client | calls | why |
|---|---|---|
${rows.join('\n')}
`
}

import { appItem, appState, errors } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { type Check, STARTS_APP } from '../check.ts'
import type { Context } from '../context.ts'
import { expect, expectBody, expectError, expectStatus, isRecord } from '../expect.ts'
import { Skipped } from '../outcome.ts'
import { expectMessage } from './messages.ts'

const SOURCE = 'Contract: States and transitions'
const ERRORS = 'Contract: Error messages of install, uninstall, start and stop'
const UNKNOWN_PACKAGE = 'conformance.no-such-app'
const NEEDS_GLASSES = 'connects glasses, which disconnects other glasses of the user'
const CONNECTS_AND_STARTS = `${NEEDS_GLASSES}; ${STARTS_APP}`

const changed = Type.Object({ success: Type.Literal(true), message: Type.String() })
const stopResponse = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({ status: Type.Literal('stopped'), packageName: Type.String(), appState }),
})
const list = Type.Object({ data: Type.Array(Type.Pick(appItem, ['packageName', 'is_running'])) })

function kitPackage({ options }: Context): string {
  if (options.app === undefined) throw new Skipped('requires --app-package, --app-key and --app-url')
  return options.app.packageName
}

async function isInstalled({ rest }: Context, packageName: string): Promise<boolean> {
  const { body } = await rest.get('/api/apps/installed')
  const apps = isRecord(body) && Array.isArray(body.data) ? body.data.filter(isRecord) : []
  return apps.some((app) => app.packageName === packageName)
}

async function isRunning({ rest }: Context, packageName: string): Promise<boolean> {
  const { data } = expectBody(list, await rest.get('/api/apps'))
  return data.some((app) => app.packageName === packageName && app.is_running)
}

export const lifecycleChecks: readonly Check[] = [
  {
    id: 'lifecycle.install',
    title: 'Install and uninstall change the list of installed apps, and fail when repeated',
    source: SOURCE,
    changes: "installs and uninstalls the kit's app; restored, except the date of the installation",
    run: async (context) => {
      const packageName = encodeURIComponent(kitPackage(context))
      const { rest } = context
      const install = () => rest.post(`/api/apps/install/${packageName}`)
      const uninstall = () => rest.post(`/api/apps/uninstall/${packageName}`)
      if (await isInstalled(context, kitPackage(context))) {
        context.after(install)
        expectBody(changed, await uninstall())
      } else context.after(uninstall)
      expectBody(changed, await install())
      expectError(await install(), errors.APP_ALREADY_INSTALLED, 'envelope')
      expect(await isInstalled(context, kitPackage(context)), 'The installed app is not in the list')
      expectBody(changed, await uninstall())
      const repeated = await uninstall()
      expect(
        [400, 404].includes(repeated.status) &&
          isRecord(repeated.body) &&
          repeated.body.message === errors.APP_NOT_INSTALLED.message,
        `${repeated.request}: expected 400 or 404 ${errors.APP_NOT_INSTALLED.message}, received ${repeated.status}`,
      )
    },
  },
  {
    id: 'lifecycle.install-unknown-app',
    title: 'Install of an unknown app returns 404 App not found',
    source: ERRORS,
    run: async ({ rest }) => {
      const answer = await rest.post(`/api/apps/install/${UNKNOWN_PACKAGE}`)
      expectError(answer, errors.APP_NOT_FOUND, 'envelope')
    },
  },
  {
    id: 'lifecycle.start-authentication',
    title: 'Start without a token returns 401',
    source: 'Contract: Authentication',
    run: async ({ rest }) => {
      expectStatus(await rest.post(`/api/apps/${UNKNOWN_PACKAGE}/start`, { token: null }), 401)
    },
  },
  {
    id: 'lifecycle.unknown-app',
    title: 'Start and stop of an unknown app return 404 App not found',
    source: ERRORS,
    changes: NEEDS_GLASSES,
    run: async (context) => {
      await context.glasses()
      for (const action of ['start', 'stop']) {
        const answer = await context.rest.post(`/api/apps/${UNKNOWN_PACKAGE}/${action}`)
        expectError(answer, errors.APP_NOT_FOUND, 'envelope')
      }
    },
  },
  {
    id: 'lifecycle.start',
    title: "Start returns started once the app is connected, with the state of the user's apps",
    source: SOURCE,
    changes: CONNECTS_AND_STARTS,
    run: async (context) => {
      await context.app()
      const packageName = kitPackage(context)
      expect(
        await isRunning(context, packageName),
        'GET /api/apps: is_running is not true for the started app',
      )
    },
  },
  {
    id: 'lifecycle.webhook',
    title: "The session request to the app's server names session, user and socket",
    source: 'docs/protocol/app-socket.md §1.1',
    changes: CONNECTS_AND_STARTS,
    run: async (context) => {
      const { contentType, body } = await (await context.app()).called('session_request')
      expect(contentType.startsWith('application/json'), `The webhook has content type ${contentType}`)
      for (const field of ['sessionId', 'userId', 'timestamp'])
        expect(typeof body[field] === 'string' && body[field] !== '', `The webhook has no ${field}`)
      const urls = [body.mentraOSWebsocketUrl, body.augmentOSWebsocketUrl].filter((url) => url !== undefined)
      expect(urls.length > 0, 'The webhook names no socket')
      for (const url of urls)
        expect(/^wss?:\/\/[^?]+\/app-ws$/.test(String(url)), 'The URL of the socket does not end in /app-ws')
    },
  },
  {
    id: 'lifecycle.broadcast',
    title: 'A start is broadcast to the glasses as app_state_change',
    source: 'Contract: Events; decision C11',
    changes: CONNECTS_AND_STARTS,
    run: async (context) => {
      const { packageName } = (await context.app()).options
      const glasses = await context.glasses()
      const message = await glasses.waitForMessage(
        'app_state_change',
        ({ activeApps }) => Array.isArray(activeApps) && activeApps.includes(packageName),
      )
      expectMessage('glasses', message, 'flat')
    },
  },
]

/** Checks that run after all others that need the app. */
export const stopChecks: readonly Check[] = [
  {
    id: 'lifecycle.stop',
    title: "Stop returns stopped, notifies the app's server and closes its socket",
    source: `${SOURCE}; docs/protocol/app-socket.md §1.6`,
    changes: CONNECTS_AND_STARTS,
    run: async (context) => {
      const app = await context.app()
      const socket = await context.appSocket()
      const { packageName } = app.options
      const received = app.webhooks.length
      const answer = await context.rest.post(`/api/apps/${encodeURIComponent(packageName)}/stop`)
      const { data } = expectBody(stopResponse, answer)
      expect(
        !data.appState.activeApps.includes(packageName),
        'The stopped app is still among the active apps',
      )
      await app.called('stop_request', received)
      const code = await socket.closed()
      expect(code === 1000, `The socket of the app was closed with ${code}, not 1000`)
      expect(
        !(await isRunning(context, packageName)),
        'GET /api/apps: is_running is true for the stopped app',
      )
    },
  },
]

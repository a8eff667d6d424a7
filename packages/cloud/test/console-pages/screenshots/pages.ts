import type { Page } from 'playwright-core'
import { bundlePage } from '../../support/bundle-page.ts'
import { captions, organization } from './content.ts'

/** Who looks at a page: the administrator with content everywhere, a new user without any, or nobody signed in. */
export type Viewer = 'administrator' | 'newcomer' | 'visitor'

/** A page of the console in the state that is pictured. */
export interface PicturedPage {
  readonly name: string
  readonly path: string
  readonly as: Viewer
  /** Brings the opened page into its state. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

const administrator = (name: string, path: string, prepare?: PicturedPage['prepare']): PicturedPage => ({
  name,
  path,
  as: 'administrator',
  ...(prepare && { prepare }),
})

const ofApp = (part: string) => `/developer/apps/${captions}${part}`

/** Pages of an administrator who uses everything. */
const PAGES: readonly PicturedPage[] = [
  administrator('glasses-not-worn', '/glasses'),
  administrator('my-glasses', '/glasses/mine', wearEvenG1),
  administrator('connect', '/glasses/connect?glasses=g2'),
  administrator('glasses', '/glasses', wearGlasses),
  administrator('glasses-timing', '/glasses', openTiming),
  administrator('welcome', '/welcome'),
  administrator('store', '/store'),
  administrator('store-no-match', '/store?q=nothing+like+it'),
  administrator('app', `/store/${captions}`),
  administrator('app-unknown', '/store/org.example.none'),
  administrator('gallery', '/gallery'),
  administrator('gallery-photo', '/gallery', (page) =>
    page.getByRole('grid').getByRole('row').first().click(),
  ),
  administrator('account', '/account'),
  administrator('account-security', '/account/security'),
  administrator('account-sessions', '/account/sessions'),
  administrator('account-data', '/account/data'),
  administrator('developer', '/developer'),
  administrator('developer-new', '/developer/new'),
  administrator('developer-app', ofApp('')),
  administrator('developer-edit', ofApp('/edit')),
  administrator('developer-keys', ofApp('/keys')),
  administrator('developer-connection', ofApp('/connection'), testConnection),
  administrator('developer-log', ofApp('/log')),
  administrator('developer-usage', ofApp('/usage')),
  administrator('developer-first-app', ofApp('/first-app')),
  administrator('first-app', '/developer/first-app'),
  administrator('organizations', '/organizations'),
  administrator('organization', `/organizations/${organization}`),
  administrator('join', '/join#token=an-invitation'),
  administrator('device', '/device', enterDeviceCode),
  administrator('admin-users', '/admin'),
  administrator('admin-review', '/admin/review'),
  administrator('admin-sessions', '/admin/sessions'),
  administrator('admin-health', '/admin/health', (page) =>
    page.getByRole('row', { name: /database/ }).waitFor(),
  ),
  administrator('admin-reports', '/admin/reports'),
  administrator('admin-audit', '/admin/audit'),
  administrator('admin-settings', '/admin/settings'),
  administrator('admin-invitations', '/admin/invitations'),
  administrator('search', '/store', openSearch),
  administrator('not-found', '/store/a/b/c'),
  administrator('error', '/organizations', failRequests),
]

/** What a user sees who has nothing yet. */
const EMPTY: readonly PicturedPage[] = [
  { name: 'empty-glasses', path: '/glasses', as: 'newcomer' },
  { name: 'empty-gallery', path: '/gallery', as: 'newcomer' },
  { name: 'empty-developer', path: '/developer', as: 'newcomer' },
  { name: 'empty-organizations', path: '/organizations', as: 'newcomer' },
]

const SIGNED_OUT: readonly PicturedPage[] = [
  { name: 'sign-in', path: '/sign-in', as: 'visitor' },
  { name: 'sign-up', path: '/sign-up', as: 'visitor' },
  {
    name: 'sign-up-invitation',
    path: '/sign-up#invitation=a-token&email=guest%40example.org',
    as: 'visitor',
  },
  { name: 'reset-password', path: '/reset-password', as: 'visitor' },
  { name: 'reset-password-link', path: '/reset-password#token=a-token', as: 'visitor' },
  { name: 'verify-email', path: '/verify-email#token=a-token', as: 'visitor' },
]

/** Every page of the console but the first run, which needs a cloud without users. */
export const PICTURED_PAGES: readonly PicturedPage[] = [...PAGES, ...EMPTY, ...SIGNED_OUT]

/** Puts the glasses on, and starts Captions anew, which shows what is said on the lens. */
/** Wears a modelled Even G1, before simulated glasses are worn. */
async function wearEvenG1(page: Page): Promise<void> {
  await page.addInitScript({ content: await bundlePage('g1-model.ts') })
  await page.reload()
  await page.getByRole('button', { name: 'Choose the first arm' }).click()
  await page.getByRole('button', { name: 'Choose the other arm' }).click()
  await page.getByText('Connected', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Start Captions' }).click()
  await page.getByRole('region', { name: 'Lens' }).getByText('Say something').waitFor()
  const toasts = page.getByRole('button', { name: 'Close' })
  while ((await toasts.count()) > 0) await toasts.first().click()
}

async function wearGlasses(page: Page): Promise<void> {
  await page.getByLabel('Model').selectOption('Even Realities G1')
  // Glasses that were worn for another picture are put on again by themselves.
  const putOn = page.getByRole('button', { name: 'Put on', exact: true })
  const takeOff = page.getByRole('button', { name: 'Take off' })
  await putOn.or(takeOff).first().waitFor()
  if (await putOn.isVisible()) await putOn.click()
  const [start, stop] = ['Start', 'Stop'].map((verb) =>
    page.getByRole('button', { name: `${verb} Captions` }),
  )
  if (start === undefined || stop === undefined) return
  await start.or(stop).waitFor()
  if (await stop.isVisible()) await stop.click()
  await start.click()
  await page.getByText('An app listens to words').waitFor()
  await page.getByLabel('What you say').fill('Good morning, and welcome to the workshop.')
  await page.getByRole('button', { name: 'Speak', exact: true }).click()
  await page.getByRole('region', { name: 'Lens' }).getByText('workshop.').waitFor()
  const toasts = page.getByRole('button', { name: 'Close' })
  while ((await toasts.count()) > 0) await toasts.first().click()
}

async function openTiming(page: Page): Promise<void> {
  await wearGlasses(page)
  await page.getByRole('tab', { name: 'Timing' }).click()
  await page.getByText('First content on the lens').waitFor()
}

async function enterDeviceCode(page: Page): Promise<void> {
  const answer = await page.request.post('/api/auth/device', {
    data: { client_name: 'Command line on laptop' },
  })
  const { user_code: code } = await answer.json()
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Command line on laptop').waitFor()
}

async function testConnection(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByText('Works', { exact: true }).first().waitFor()
}

async function openSearch(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox', { name: 'Search for pages, apps and help' }).fill('ap')
}

/** Opens the page again while its data cannot be read. */
async function failRequests(page: Page): Promise<void> {
  const body = JSON.stringify({ success: false, message: 'The database does not respond' })
  const answer = { status: 503, contentType: 'application/json', body }
  await page.route('**/api/console/orgs', (route) => route.fulfill(answer))
  await page.reload()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.unroute('**/api/console/orgs')
}

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { drawPicture, Glasses } from '@glasses-cloud/phone'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { findFreePort } from '../../src/http/free-port.ts'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { createAdministrator, findBarriers, openConsole, setSwitch } from '../support/console-rig.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { suiteScope } from '../support/scope.ts'
import { spawnCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const ADA = 'ada@example.org'
const BOB = 'bob@example.org'
const PASSWORD = 'a long password'

const NODE_MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

describe('developer pages in a browser', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let cloud: TestCloud
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let problems: string[]
  let token: string
  /** The first app, which the tests of its connection, log and use run in this order. */
  let app: ChildProcess | undefined

  before(async () => {
    cloud = await spawnCloud(scope, { env: { APP_REVIEW: 'on', LOG_LEVEL: 'warn' } })
    browser = await startBrowser(scope)
    ;({ context, page, problems } = await openConsole(browser, cloud.url))
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await createAdministrator(page, ADA)
    token = await cloud.token(ADA)
  })

  /** Expects the page to be accessible and to have caused no error. */
  async function expectClean(options: Parameters<typeof findBarriers>[1] = {}) {
    assert.deepEqual(await findBarriers(page, options), [])
    assert.deepEqual(problems.splice(0), [])
  }

  /** Reads from the API as Ada. */
  async function read<Data>(path: string): Promise<Data> {
    const { status, body } = await cloud.request<{ data: Data }>('GET', `/api/console${path}`, { token })
    assert.equal(status, 200, path)
    return body.data
  }

  const open = (path: string) => page.goto(path)
  const heading = (name: string) => page.getByRole('heading', { name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const part = (name: string) => page.getByRole('navigation', { name: 'Parts of the app' }).getByText(name)
  /** The last block of code with a label. */
  const codeBlock = (label: string) =>
    page
      .locator('figure')
      .filter({ has: page.locator('figcaption', { hasText: label }) })
      .last()
      .locator('code')
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')

  /** Creates an app without the console. */
  async function createApp(packageName: string, manifest: object = {}): Promise<string> {
    const body = { packageName, name: packageName, publicUrl: 'http://127.0.0.1:9', ...manifest }
    const created = await cloud.request<{ data: { apiKey: string } }>('POST', '/api/console/apps', {
      token,
      body,
    })
    assert.equal(created.status, 200)
    return created.body.data.apiKey
  }

  test('CON-41 CON-18: a developer without apps creates the first one', async () => {
    await page.getByRole('link', { name: 'Developer' }).click()
    await heading('No apps yet').waitFor()
    await expectClean()
    await page.getByRole('link', { name: 'Your first app' }).last().click()
    await heading('How it goes').waitFor()
    await page.getByRole('link', { name: 'Create my first app' }).click()
    const address = page.getByLabel('Address of the app server')
    await address.fill('localhost')
    await page.getByText('Must be the URL of the app server, such as https://captions.example.org').waitFor()
    await button('Create the app').click()
    await page.getByRole('alert').getByText('Address of the app server: Must be the URL').waitFor()
    await expectClean({ themes: ['dark'] })
    await address.fill('http://127.0.0.1:7300')
    await page.getByText('Must be the URL').waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Package name').inputValue(), 'dev.ada.first')
    await button('Create the app').click()

    await heading('Your new API key').waitFor()
    await button('Copy').click()
    const apiKey = await clipboard()
    assert.match(apiKey, /^gck_/)
    await button('Copy .env').click()
    assert.equal(await clipboard(), `API_KEY=${apiKey}\n`)
    await expectClean()
    const { permissions } = await read<{ permissions: unknown }>('/apps/dev.ada.first')
    assert.deepEqual(permissions, [{ type: 'MICROPHONE', description: 'To show what you say' }])
    await button('I have stored it').click()
    await heading('Your new API key').waitFor({ state: 'detached' })
    await page.getByText('PASTE-THE-KEY-HERE').waitFor()
    assert.ok(!(await page.content()).includes(apiKey))
  })

  test('an app is created from a manifest file, whose problems are named as it is edited', async () => {
    await open('/developer/new')
    await page.getByRole('tab', { name: 'Manifest file' }).click()
    const manifest = {
      packageName: 'dev.ada.file',
      name: 'From a file',
      publicUrl: 'https://file.example.org',
    }
    const files = page.locator('input[type=file]')
    const fileOf = (text: string) => ({
      name: 'manifest.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })
    await files.setInputFiles(fileOf(JSON.stringify({ ...manifest, permissions: [{ type: 'MIC' }] })))
    await page.getByRole('alert').getByText('permissions[0].type must be one of MICROPHONE').waitFor()
    assert.ok(await button('Create the app').isDisabled())
    const json = page.getByLabel('Manifest as JSON')
    await json.fill('{ "packageName": ')
    await page.getByText('The text is no valid JSON').waitFor()
    await json.fill(JSON.stringify({ ...manifest, packageName: 'dev.ada.first.file', developerId: BOB }))
    await page.getByText('The manifest is valid').waitFor()
    await button('Create the app').click()
    // The cloud knows more than the schema.
    await page.getByRole('alert').getByText('developerId must be your own e-mail address').waitFor()
    problems.splice(0)
    await json.fill(JSON.stringify(manifest))
    await button('Create the app').click()
    await heading('From a file').waitFor()
    assert.equal((await read<{ name: string }>('/apps/dev.ada.file')).name, 'From a file')
  })

  test('CON-43 CON-18: edits of permissions, settings and tools', async () => {
    await createApp('dev.ada.edit', { name: 'Editable'.repeat(6), description: 'stays' })
    await open('/developer/apps/dev.ada.edit/edit')
    await page.getByText('Nothing was changed.').waitFor()
    const preview = page.getByRole('complementary', { name: 'What wearers see' })
    await button('Add a permission').click()
    await preview.getByText('Hears what is said near you').waitFor()
    await button('Add a setting').click()
    const setting = page.getByRole('group', { name: /^setting/ })
    await setting.getByLabel('Key').fill('loud')
    await setting.getByLabel('Label').fill('Loud voice')
    await setSwitch(setting, 'On by default', true)
    await preview.getByRole('switch', { name: 'Loud voice', checked: true }).waitFor({ state: 'attached' })
    await button('Add a tool').click()
    const tool = page.getByRole('group', { name: /^tool/ })
    await tool.getByLabel('Id').fill('show it')
    await tool.getByText('Must be a name like take_note').waitFor()
    await tool.getByLabel('Id').fill('show')
    await tool.getByLabel('Description').fill('Show a text')
    await tool.getByLabel('Phrases').fill('show me\nwrite down')
    await preview.getByText('“write down”').waitFor()
    await tool.getByRole('button', { name: 'Add a parameter' }).click()
    const parameter = tool.getByRole('group', { name: /^parameter/ })
    await parameter.getByLabel('Name').fill('text')
    await parameter.getByLabel('Description').fill('What to show')
    await expectClean({ onPhone: true })

    // Somebody else changes another field meanwhile, which stays.
    const elsewhere = { token, body: { description: 'changed elsewhere' } }
    await cloud.request('PATCH', '/api/console/apps/dev.ada.edit', elsewhere)
    await button('Save changes').click()
    await page.getByText('App saved').waitFor()
    const saved = await read<Record<string, unknown>>('/apps/dev.ada.edit')
    const { description, permissions, settings, tools } = saved
    assert.deepEqual(
      { description, permissions, settings, tools },
      {
        description: 'changed elsewhere',
        permissions: [{ type: 'MICROPHONE' }],
        settings: [{ type: 'toggle', label: 'Loud voice', key: 'loud', defaultValue: true }],
        tools: [
          {
            id: 'show',
            description: 'Show a text',
            activationPhrases: ['show me', 'write down'],
            parameters: { text: { type: 'string', description: 'What to show' } },
          },
        ],
      },
    )
    await page.getByText('Nothing was changed.').waitFor()

    // Without a pointer: the setting gets another type, and leaving asks first.
    await setting.getByLabel('Type').focus()
    await page.keyboard.type('Slider')
    await preview.getByRole('slider', { name: 'Loud voice' }).waitFor()
    await part('Keys').click()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    await button('Discard changes').click()
    await preview.getByRole('switch', { name: 'Loud voice' }).waitFor()
    await part('Keys').click()
    await heading('API keys').waitFor()
  })

  test('CON-18: a second key is made, a third replaces the oldest, and keys are revoked', async () => {
    const first = await createApp('dev.ada.keys')
    await open('/developer/apps/dev.ada.keys/keys')
    await button('Make a new key').click()
    await heading('Your new API key').waitFor()
    await button('Copy').click()
    assert.notEqual(await clipboard(), first)
    await page.getByRole('row').nth(2).waitFor()
    assert.equal(await page.getByRole('cell', { name: 'Never used' }).count(), 2)
    await expectClean()
    const headers = { 'x-api-key': first, 'x-package-name': 'dev.ada.keys' }
    await cloud.request('POST', '/api/auth/app-token', { headers })
    await waitFor('the use is stored', async () => {
      const keys = await read<{ lastUsedAt: string | null }[]>('/apps/dev.ada.keys/keys')
      return keys.some(({ lastUsedAt }) => lastUsedAt !== null)
    })
    await page.reload()
    await page.getByRole('cell', { name: /Last used .+ from 127\.0\.0\.1/ }).waitFor()
    const [second, oldest] = await read<{ id: string }[]>('/apps/dev.ada.keys/keys')
    await button('Make a new key').click()
    const third = page.getByRole('alertdialog', { name: 'Make a third key?' })
    await third.getByText(String(oldest?.id)).waitFor()
    await third.getByRole('button', { name: 'Make the key and revoke the oldest' }).click()
    await page.getByRole('row', { name: String(oldest?.id) }).waitFor({ state: 'detached' })
    await button(`Revoke key ${second?.id}`).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText(`The key ${second?.id} is revoked`).waitFor()
    const left = await read<{ id: string }[]>('/apps/dev.ada.keys/keys')
    await cloud.operator.db
      .updateTable('api_keys')
      .set({ secret_id: 'of an earlier AUTH_SECRET' })
      .where('key_id', '=', String(left[0]?.id))
      .execute()
    await page.reload()
    await page.getByRole('alert').getByText('AUTH_SECRET of this cloud has changed').waitFor()
    await page
      .getByRole('row', { name: String(left[0]?.id) })
      .getByText('Cannot sign')
      .waitFor()
    await part('Overview').click()
    await page.getByText('The cloud cannot sign its calls with a key of this app').waitFor()
    await page.getByRole('link', { name: 'Keys' }).last().waitFor()
    assert.ok(left.length === 1 && left[0]?.id !== oldest?.id && left[0]?.id !== second?.id)
  })

  test('an app is submitted, reviewed, published and taken out of the store', async () => {
    await createApp('dev.ada.store', { name: 'For everyone' })
    const decide = async (decision: string, notes: string) => {
      const path = `/api/admin/apps/dev.ada.store/${decision}`
      const { revision } = await read<{ revision: string }>('/apps/dev.ada.store')
      assert.equal((await cloud.request('POST', path, { token, body: { revision, notes } })).status, 200)
      await page.reload()
    }
    await open('/developer/apps/dev.ada.store')
    await button('Publish').click()
    await page.getByText('In review').waitFor()
    await decide('reject', 'Say why it needs no permission')
    await page.getByText('Say why it needs no permission').waitFor()
    await page.getByText('Rejected', { exact: true }).waitFor()
    assert.deepEqual(problems.splice(0), [])
    await button('Publish').click()
    await page.getByText('In review').waitFor()
    await decide('approve', '')
    await page.getByText('Everyone on this cloud can install the app.').waitFor()
    await button('Unpublish').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unpublish' }).click()
    await page.getByText('In development').waitFor()
  })

  test('CON-18: logo and screenshots are uploaded, and a wrong picture is refused with the reason', async () => {
    await createApp('dev.ada.images', { name: 'Pictures' })
    await open('/developer/apps/dev.ada.images')
    const [logo, screenshot] = [
      page.locator('input[type=file]').first(),
      page.locator('input[type=file]').last(),
    ]
    const picture = (buffer: Buffer) => ({ name: 'picture.jpg', mimeType: 'image/jpeg', buffer })
    const { jpeg } = drawPicture(1, 'small')
    await logo.setInputFiles(picture(Buffer.from('no picture')))
    await page.getByText('The file is not a PNG, JPEG or WebP image').waitFor()
    problems.splice(0)
    await logo.setInputFiles(picture(Buffer.from(jpeg)))
    await page.getByText('Logo changed').waitFor()
    await screenshot.setInputFiles(picture(Buffer.from(jpeg)))
    await page.getByRole('img', { name: 'Screenshot 1' }).waitFor()
    await expectClean()
    const app = await read<{ logoURL: string; screenshots: string[] }>('/apps/dev.ada.images')
    assert.equal((await fetch(app.logoURL)).headers.get('content-type'), 'image/jpeg')
    assert.equal(app.screenshots.length, 1)
    await button('Delete screenshot 1').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('img', { name: 'Screenshot 1' }).waitFor({ state: 'detached' })
  })

  test('CON-18: the first app, from a failed test of its connection to words on the lens', async () => {
    const port = await findFreePort()
    await createApp('dev.ada.lens', {
      name: 'Lens',
      publicUrl: `http://127.0.0.1:${port}`,
      permissions: [{ type: 'MICROPHONE' }],
    })
    await open('/developer/apps/dev.ada.lens/connection')
    await button('Test connection').click()
    await page.getByText('The connection fails at: Webhook').waitFor()
    await page.getByText('What to do: Start the app server').waitFor()
    await expectClean()

    await part('First app').click()
    await button('Make a new key').click()
    await page.getByText('PASTE-THE-KEY-HERE').waitFor({ state: 'detached' })
    const text = async (label: string) => String(await codeBlock(label).textContent())
    const folder = await mkdtemp(join(tmpdir(), 'first-app-'))
    scope.after(() => rm(folder, { recursive: true }))
    // Instead of npm install: the packages of this project, which contain the same SDK.
    await symlink(NODE_MODULES, join(folder, 'node_modules'))
    await writeFile(join(folder, 'app.mts'), await text('app.mts'))
    await writeFile(join(folder, '.env'), await text('.env'))
    const [program, ...args] = (await text('Terminal')).split(' ')
    assert.equal(program, 'node')
    app = spawn(process.execPath, args, { cwd: folder, env: inheritedEnv(), stdio: 'ignore' })
    scope.after(() => app?.kill('SIGKILL'))

    const glasses = new Glasses({ url: cloud.url, token })
    scope.after(() => glasses.disconnect())
    await glasses.connect()
    await part('Test connection').click()
    const works = page.getByText('Everything that was tested works')
    for (let tries = 0; tries < 100 && !(await works.isVisible()); tries += 1) {
      // The app takes a moment to listen.
      await page.getByRole('button', { name: /^Test (connection|again)$/ }).click()
      await page.getByText(/^(The connection fails at|Everything that was tested works)/).waitFor()
    }
    const hop = (name: string) => page.getByRole('listitem').filter({ has: heading(name) })
    for (const name of ['Name', 'Address', 'Webhook', 'Socket', 'API key'])
      await hop(name).getByText('Works', { exact: true }).waitFor()
    await hop('Webhook').getByText('It declined the test call, because its type is unknown').waitFor()

    assert.equal((await cloud.request('POST', '/api/apps/dev.ada.lens/start', { token })).status, 200)
    await glasses.waitForDisplay('Say something.')
    await glasses.speak('hello from the first app')
    await glasses.waitForDisplay('You said: hello from the first app')
  })

  test('CON-18: the log of the first app', async () => {
    await part('Live log').click()
    const row = (event: string) => page.getByRole('row').filter({ hasText: event })
    await row('Webhook: start').first().waitFor()
    await row('Running').first().waitFor()
    await row('Socket opened').first().getByText(/./).first().waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await expectClean({ onPhone: true })
    await page.getByRole('searchbox', { name: 'Search' }).fill('status 200')
    await row('Socket opened').first().waitFor({ state: 'detached' })
    await row('Webhook: start')
      .first()
      .getByText(/attempt 1 · status 200 · \d+ ms/)
      .waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('')
    await setSwitch(page, 'Pause', true)
    app?.kill('SIGKILL')
    await page.getByText(/new entr/).waitFor()
    await row('Socket closed').filter({ hasText: 'code 1006' }).waitFor({ state: 'detached' })
    await setSwitch(page, 'Pause', false)
    await row('Socket closed').filter({ hasText: 'The connection was lost' }).first().waitFor()
  })

  test('CON-18: the use of the first app', async () => {
    await part('Usage').click()
    await page.getByRole('img', { name: /^Sessions: \d today/ }).waitFor()
    await expectClean()
    const happened = page.getByRole('region', { name: 'What happened' })
    await happened.getByText('API key made').first().waitFor()
    await page.getByRole('tab', { name: 'Table' }).click()
    await page.getByRole('row').nth(1).getByText('API key made').waitFor()
    const today = await page.getByRole('row').nth(1).getByRole('cell').allTextContents()
    const { days } = await read<{ days: { users: number; sessions: number; errors: number }[] }>(
      '/apps/dev.ada.lens/usage',
    )
    assert.equal(today[0], String(days.at(-1)?.sessions))
    assert.equal(days.at(-1)?.users, 1)
    await part('Overview').click()
    await page
      .getByRole('alert')
      .getByText('The cloud did not reach the app server at last')
      .or(page.getByText('The app works'))
      .or(page.getByText('The last start failed'))
      .first()
      .waitFor()
    await expectClean({ onPhone: true })
  })

  test('CON-18: apps of a developer are searched and filtered, and drawn in pages', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => ({
      id: `many-${index}`,
      package_name: `dev.many.app${index}`,
      name: `Many ${index}`,
      developer_id: ADA,
    }))
    const [one] = await cloud.operator.db
      .selectFrom('apps')
      .selectAll()
      .where('package_name', '=', 'dev.ada.lens')
      .execute()
    assert.ok(one)
    await cloud.operator.db
      .insertInto('apps')
      .values(rows.map((row) => ({ ...one, ...row })))
      .execute()
    await open('/developer')
    await page.getByText('Page 1').waitFor()
    assert.equal(await page.getByRole('rowheader').count(), 50)
    await page.getByLabel('Search by name, package or owner').fill('many 59')
    await page.getByText('1 app', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Many 59' }).waitFor()
    await page.waitForURL(/q=many/)
    await page.reload()
    await page.getByText('1 app', { exact: true }).waitFor()
    await expectClean({ onPhone: true })
    await open('/developer?show=REJECTED')
    await heading('No app matches').waitFor()
  })

  test('an app moves to a new organization, which keeps it until it moves back', async () => {
    await createApp('dev.ada.moves', { name: 'Moving' })
    await open('/organizations')
    await heading('No organizations yet').waitFor()
    await expectClean({ themes: ['light'] })
    await page.getByLabel('Name').fill('Moving Labs')
    await button('Create').click()
    await heading('Moving Labs').waitFor()
    await page.getByLabel('Name').fill('Moved Labs')
    await button('Rename').click()
    await heading('Moved Labs').waitFor()

    await open('/developer/apps/dev.ada.moves')
    await page.getByLabel('New owner').selectOption('Moved Labs')
    await button('Move').click()
    await page
      .getByRole('alertdialog', { name: 'Move Moving to Moved Labs?' })
      .getByRole('button', { name: 'Move' })
      .click()
    await page.getByText('Owner: Moved Labs').waitFor()

    await open('/organizations/moving-labs')
    await page.getByText('It owns an app. Move or delete it first').waitFor()
    await expectClean({ onPhone: true })
    await button('Delete the organization').click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Delete the organization' }).click()
    await question
      .getByRole('alert')
      .getByText('The organization owns apps; move or delete them first')
      .waitFor()
    problems.splice(0)
    await question.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('link', { name: 'Moving' }).first().click()
    await button('Delete the app').click()
    const deletion = page.getByRole('alertdialog', { name: 'Delete Moving for good?' })
    assert.ok(await deletion.getByRole('button', { name: 'Delete the app' }).isDisabled())
    await deletion.getByLabel('Type dev.ada.moves to confirm').fill('dev.ada.moves')
    await deletion.getByRole('button', { name: 'Delete the app' }).click()
    await page.getByText('Moving is deleted').waitFor()
    assert.equal((await cloud.request('GET', '/api/console/apps/dev.ada.moves', { token })).status, 404)
    await open('/organizations/moving-labs')
    await button('Delete the organization').click()
    await question.getByRole('button', { name: 'Delete the organization' }).click()
    await page.getByText('Moved Labs is deleted').waitFor()
  })

  test('an invited person signs up by the link, accepts, and becomes administrator', async () => {
    await cloud.request('POST', '/api/console/orgs', { token, body: { name: 'Acme' } })
    await open('/organizations/acme')
    await page.getByText('An organization keeps at least one administrator').waitFor()
    assert.ok(await button('Leave').isDisabled())
    const invite = async (email: string) => {
      await page.getByLabel('E-mail address').fill(email)
      await button('Invite').click()
      await page.getByRole('row').filter({ hasText: email }).waitFor()
    }
    // The log of this cloud without a mail server has another link.
    const shownLink = (email: string) => page.getByRole('textbox', { name: `Link for ${email}` }).inputValue()
    await invite('carol@example.org')
    await button('Rescind the invitation of carol@example.org').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rescind' }).click()
    await page.getByText('Nobody is invited at the moment.').waitFor()
    await invite(BOB)
    await page.getByText(`Hand over this link to ${BOB} yourself`).waitFor()
    const replaced = await shownLink(BOB)
    await button(`Send again to ${BOB}`).click()
    await page.getByText(`A new link for ${BOB} is ready`).waitFor()
    await expectClean()
    const link = await shownLink(BOB)
    assert.notEqual(link, replaced)

    // The wrong person, and a link that was replaced.
    await open(link)
    await button('Accept the invitation').click()
    await page.getByRole('alert').getByText('The invitation is for another e-mail address').waitFor()
    problems.splice(0)
    const other = await openConsole(browser, cloud.url)
    await other.page.goto(link)
    await other.page.getByRole('link', { name: 'Create an account' }).click()
    // The page to sign in has fields of the same names.
    await other.page.getByRole('heading', { name: 'Create an account' }).waitFor()
    await other.page.getByLabel('E-mail address').fill(BOB)
    await other.page.getByLabel('Password').fill(PASSWORD)
    await other.page.getByRole('button', { name: 'Create account' }).click()
    await other.page.getByRole('button', { name: 'Accept the invitation' }).waitFor()
    assert.deepEqual(await findBarriers(other.page), [])
    await other.page.goto(replaced)
    await other.page.getByRole('button', { name: 'Accept the invitation' }).click()
    await other.page.getByText('It may have been replaced by a newer one').waitFor()
    await other.page.goto(link)
    await other.page.getByRole('button', { name: 'Accept the invitation' }).click()
    await other.page.getByRole('heading', { name: 'Acme' }).waitFor()

    await open('/organizations/acme')
    await page.getByLabel(`Role of ${BOB}`).selectOption('Administrator')
    await page.getByText(`${BOB} is now Administrator`).waitFor()
    await button('Leave').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
    await page.getByText('You have left Acme').waitFor()
    assert.deepEqual(problems.splice(0), [])
    await other.page.goto('/organizations/acme')
    await other.page.getByText('An organization keeps at least one administrator').waitFor()
  })
})

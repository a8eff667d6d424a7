import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import type { Page } from 'playwright-core'
import type { BrilliantReport } from '../glasses/pages/brilliant-model.ts'
import { startAppServer } from '../support/app-server.ts'
import { browserMissing } from '../support/browser.ts'
import { contentOf, findBarriers, waitUntilTrue } from '../support/console-rig.ts'
import { installCaptions, openGlassesConsole, WEARER } from '../support/glasses-console.ts'
import { suiteScope } from '../support/scope.ts'
import type { TestCloud } from '../support/test-cloud.ts'

describe('a Frame or a Halo on the page of real glasses', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let cloud: TestCloud
  let page: Page
  let problems: string[]

  before(async () => {
    ;({ cloud, page, problems } = await openGlassesConsole(scope, { model: 'brilliant-model.ts' }))
    await installCaptions(scope, { cloud, page })
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const isConnected = () => page.getByText('Connected', { exact: true }).waitFor()
  const fact = (name: string, value: string | RegExp) =>
    page.locator('dl > div').filter({ hasText: name }).getByText(value).waitFor()
  const report = (kind: 'Frame' | 'Halo') =>
    page.evaluate<BrilliantReport>(`brilliantModel.report('${kind}')`)
  const draws = (kind: 'Frame' | 'Halo', text: string) =>
    waitUntilTrue(page, `brilliantModel.report('${kind}').lines.join(' ').includes(${JSON.stringify(text)})`)
  const lens = () => page.getByRole('region', { name: 'Lens' })
  const proportions = async () => {
    const box = await lens().locator('[aria-live]').boundingBox()
    return box && Math.round((box.width / box.height) * 10) / 10
  }

  test('CON-290 CON-18: from the choice of what one has to words on a Frame', async () => {
    await page.goto('/glasses/connect')
    await page.getByRole('radio', { name: /^Brilliant Frame/ }).check()
    await page.getByText('This browser lets pages use Bluetooth').waitFor()
    await page.getByRole('link', { name: 'Open My glasses' }).click()
    await page.getByText('Experimental').waitFor()
    assert.deepEqual(await findBarriers(page, { onPhone: true }), [])
    await button('Choose a Frame or Halo').click()
    await isConnected()
    assert.deepEqual(await page.evaluate('brilliantModel.choosers'), [['Frame 4F', 'Halo 4F']])
    await fact('Glasses', 'connected')
    await fact('Battery', '80 %')
    assert.equal(await page.locator('dt').filter({ hasText: 'Firmware' }).count(), 0)
    await button('Start Captions').click()
    await lens().getByText('Ready. Say something.').waitFor()
    await draws('Frame', 'Ready. Say something.')
    const { light, overflows } = await report('Frame')
    assert.deepEqual([light > 0, overflows], [true, 0])
    assert.equal(await proportions(), 1.6)
    await fact('Microphone', /this cloud does not recognize speech/)
    assert.deepEqual(await findBarriers(page, { onPhone: true }), [])
    await page.goBack()
    await page.getByText('Brilliant Frame are connected').waitFor()
    await page.getByText('Captions runs. Look at the lens.').waitFor()
    await page.goForward()
    assert.deepEqual(problems.splice(0), [])
  })

  test('CON-291: the loss of the glasses is said in words, and mended', async () => {
    await page.evaluate(
      `{ const { Frame } = brilliantModel.models; Frame.faults.isAway = true; Frame.drop() }`,
    )
    const notice = page.getByRole('status').filter({ hasText: 'The glasses are not connected' })
    await notice.getByText('connected again by themselves').waitFor()
    await page.getByText('The glasses lost their connection').waitFor()
    await page.evaluate('{ brilliantModel.models.Frame.faults.isAway = false }')
    await notice.waitFor({ state: 'detached' })
    const happened = await page
      .getByRole('region', { name: 'What happened' })
      .getByRole('listitem')
      .allTextContents()
    assert.match(happened[0] ?? '', /The glasses are connected\.$/)
    assert.match(happened[1] ?? '', /The glasses lost their connection/)
    await draws('Frame', 'Ready. Say something.')
  })

  test('CON-290: brightness, which these glasses do not adjust by themselves', async () => {
    await page.getByRole('slider', { name: 'Brightness of the lens' }).press('End')
    await waitUntilTrue(page, `brilliantModel.report('Frame').brightness === 2`)
    assert.equal(await page.getByRole('switch', { name: 'Let the glasses adjust it' }).count(), 0)
  })

  test('CON-290: the diagnostics have no words and no name', async () => {
    const download = page.waitForEvent('download')
    await button('Save the diagnostics').click()
    const file = await download
    assert.match(file.suggestedFilename(), /^brilliant-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.txt$/)
    const content = String(await contentOf(file))
    assert.match(content, /^Brilliant Frame, writes of 24\d bytes$/m)
    assert.match(content, / sent text \d+ bytes done$/m)
    assert.doesNotMatch(content, /Ready|Say|Captions|ada@/)
  })

  test('CON-290: glasses that were disconnected are connected again without a chooser; others take over', async (t) => {
    await button('Disconnect').click()
    await button('Connect Frame 4F').waitFor()
    await waitUntilTrue(page, `!brilliantModel.report('Frame').isConnected`)
    assert.deepEqual((await report('Frame')).lines, [])
    await button('Connect Frame 4F').click()
    await isConnected()
    assert.equal(await page.evaluate('brilliantModel.choosers.length'), 1)
    const other = new Glasses({ url: cloud.url, token: await cloud.token(WEARER) })
    t.after(() => other.disconnect())
    await other.connect()
    await page.getByText('You put on other glasses').waitFor()
    await waitUntilTrue(page, `!brilliantModel.report('Frame').isConnected`)
  })

  test('CON-290: a Halo shows the same words in its own proportions', async () => {
    await page.evaluate(`{ brilliantModel.wanted = 'Halo' }`)
    await button('Choose a Frame or Halo').click()
    await isConnected()
    await button('Stop Captions').click()
    await button('Start Captions').click()
    await draws('Halo', 'Ready')
    await lens().getByText('Ready').waitFor()
    assert.equal(await proportions(), 1.4)
    assert.equal((await report('Halo')).overflows, 0)
  })

  test('CON-290: the pages of a long text are turned by buttons', async (t) => {
    const novel = 'dev.example.novel'
    const server = await startAppServer(t, novel)
    const { apiKey } = await cloud.registerApp({ packageName: novel, name: 'Novel', publicUrl: server.url })
    server.apiKey = apiKey
    const token = await cloud.token(WEARER)
    for (const path of [`/api/apps/install/${novel}`, `/api/apps/${novel}/start`])
      assert.equal((await cloud.request('POST', path, { token })).status, 200)
    const text = Array.from({ length: 60 }, (_, n) => `word${n}`).join(' ')
    const layout = { layoutType: 'text_wall', text }
    server.sockets[0]?.send(
      JSON.stringify({ type: 'display_event', packageName: novel, view: 'main', layout }),
    )
    await draws('Halo', 'word0 ')
    await lens()
      .getByText(/^Page 1 of \d+$/)
      .waitFor()
    assert.equal(await button('Previous page').isEnabled(), false)
    await button('Next page').click()
    await lens()
      .getByText(/^Page 2 of \d+$/)
      .waitFor()
    await waitUntilTrue(page, `!brilliantModel.report('Halo').lines.join(' ').includes('word0 ')`)
    await button('Previous page').click()
    await draws('Halo', 'word0 ')
    await button('Disconnect').click()
    await waitUntilTrue(page, `!brilliantModel.report('Halo').isConnected`)
  })

  test('glasses out of reach, and a closed chooser, lead to help for these glasses', async () => {
    await page.evaluate(`{ brilliantModel.models.Halo.faults.isAway = true }`)
    await button('Connect Halo 4F').click()
    await page.getByRole('alert').getByText('Brilliant Halo does not answer').waitFor()
    const help = page.getByRole('status').filter({ hasText: 'The glasses were not reached' })
    await help.getByText('on Halo hold the button for eight seconds').waitFor()
    await page.evaluate(`{ brilliantModel.wanted = undefined }`)
    await button('Choose a Frame or Halo').click()
    await page.getByRole('status').filter({ hasText: 'No glasses were chosen' }).waitFor()
    assert.deepEqual(await findBarriers(page, { themes: ['light'] }), [])
    assert.deepEqual(problems.splice(0), [])
  })
})

import { test } from 'node:test'
import { findFreePort } from '../../src/http/free-port.ts'
import { browserMissing } from '../support/browser.ts'
import { openGlassesConsole } from '../support/glasses-console.ts'

test('CON-299: a wearer reads at what they say that the cloud does not recognize speech, and why', {
  skip: browserMissing,
}, async (t) => {
  const env = {
    SAMPLE_APP: 'on',
    STT_PROVIDERS: 'openai',
    OPENAI_STT_URL: `ws://127.0.0.1:${await findFreePort()}/v1/realtime`,
  }
  const { page } = await openGlassesConsole(t, { env })
  await page.goto('/glasses')
  for (const name of ['Put on', 'Install Captions', 'Start Captions'])
    await page.getByRole('button', { name, exact: true }).click()
  const notice = page.getByRole('status').filter({ hasText: 'The cloud does not recognize speech' })
  await notice.getByText('openai cannot be reached').waitFor()
  await page.getByRole('button', { name: 'Take off', exact: true }).click()
  await notice.waitFor({ state: 'detached' })
})

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { findFreePort } from '../../src/http/free-port.ts'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { SET_UP_PAGE } from '../support/console-rig.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { proxyMissing } from '../support/proxies.ts'
import type { Scope } from '../support/scope.ts'
import { spawnCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

/** The path is also the beginning of those of the console's own pages. */
const BASE = '/glasses'

/** How the proxy treats the path, in the configuration of Caddy. */
const HANDLERS = {
  'passes it on': (port: number) => `handle ${BASE}* {
    reverse_proxy 127.0.0.1:${port}
  }`,
  'removes it and says so': (port: number) => `handle_path ${BASE}* {
    reverse_proxy 127.0.0.1:${port} {
      header_up X-Forwarded-Prefix ${BASE}
    }
  }`,
}

async function startCaddy(scope: Scope, folder: string, port: number, handler: string): Promise<void> {
  const file = join(folder, 'Caddyfile')
  await writeFile(file, `{\n  admin off\n  auto_https off\n}\nhttp://localhost:${port} {\n  ${handler}\n}\n`)
  const env = { ...inheritedEnv(), HOME: folder, XDG_DATA_HOME: folder }
  const caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env, stdio: 'ignore' })
  const exited = once(caddy, 'exit')
  scope.after(async () => {
    caddy.kill('SIGKILL')
    await exited
  })
}

describe('below a path of a host', { skip: proxyMissing('caddy') || browserMissing }, () => {
  for (const [name, handlerOf] of Object.entries(HANDLERS))
    test(`PXY-30: everything works behind a proxy that ${name}`, async (t) => {
      const [port, own] = await Promise.all([findFreePort(), findFreePort()])
      const url = `http://localhost:${port}${BASE}`
      const cloud = await spawnCloud(t, {
        env: { PUBLIC_URL: url, PORT: String(own), TRUST_PROXY: '127.0.0.1,::1', SAMPLE_APP: 'on' },
      })
      await startCaddy(t, String(cloud.env.DATA_DIR), port, handlerOf(own))
      await waitFor('the proxy', async () => (await fetch(`${url}/readyz`)).status === 200)
      const browser = await startBrowser(t)
      const context = await browser.newContext()
      context.setDefaultTimeout(20_000)
      const problems: string[] = []
      context.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      context.on('weberror', (error) => problems.push(String(error.error())))
      context.on('request', (request) => {
        const address = request.url()
        if (/^(http|ws)/.test(address) && !address.startsWith(url)) problems.push(address)
      })
      context.on('response', (response) => {
        if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
      })
      const page = await context.newPage()
      await page.goto(url + SET_UP_PAGE)
      await page.getByLabel('E-mail address').fill('ada@example.org')
      await page.getByLabel('Password').fill('a long password')
      await page.getByRole('button', { name: 'Create administrator' }).click()
      await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'Apps', exact: true }).click()
      await page.getByRole('button', { name: 'Install Captions' }).click()
      await page.getByRole('button', { name: 'Start Captions' }).waitFor()
      await page.goto(`${url}/glasses`)
      await page.getByRole('button', { name: 'Put on', exact: true }).click()
      await page.getByRole('button', { name: 'Start Captions' }).click()
      await page.getByRole('button', { name: 'Stop Captions' }).waitFor()
      await page.getByText('An app listens to words').waitFor()
      await page.getByLabel('What you say').fill('hello there')
      await page.getByRole('button', { name: 'Speak', exact: true }).click()
      await page.getByRole('region', { name: 'Lens' }).getByText('hello there').waitFor()
      await page.reload()
      await page.getByRole('button', { name: 'Stop Captions' }).waitFor()
      const other = await context.newPage()
      const cookies = await context.cookies()
      assert.ok(cookies.length > 0)
      for (const { path } of cookies) assert.equal(path, BASE)
      await context.clearCookies()
      await other.goto(`${url}/account/security`)
      await other.getByLabel('E-mail address').fill('ada@example.org')
      await other.getByLabel('Password').fill('a long password')
      await other.getByRole('button', { name: 'Sign in', exact: true }).click()
      await other.waitForURL(`${url}/account/security`)
      for (const path of ['/manifest.webmanifest', '/openapi.json', '/docs', '/sw.js', '/glasses/reach'])
        assert.equal((await fetch(url + path)).status, 200, path)
      assert.deepEqual(problems, [])
      assert.match(await (await fetch(`${url}/glasses/reach`)).text(), /href="\/glasses\/glasses\/connect"/)
      // A link that is used up is answered with 400.
      await other.goto(`${url}/verify-email#token=used`)
      await other.getByRole('button', { name: 'Confirm' }).click()
      const again = other.getByRole('link', { name: 'Request another link' })
      assert.equal(await again.getAttribute('href'), `${BASE}/verify-email`)
    })
})

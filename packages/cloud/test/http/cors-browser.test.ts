import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { browserMissing, startBrowser } from '../support/browser.ts'
import type { Scope } from '../support/scope.ts'
import { startCloud } from '../support/test-cloud.ts'

/** Starts a site with one empty page. @returns its origin */
async function startSite(scope: Scope): Promise<string> {
  const site = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>A store</title>'),
  ).listen(0, '127.0.0.1')
  scope.after(() => site.close())
  await once(site, 'listening')
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}

/** What the store's page does; runs in the browser. */
async function useCloud({ url, token }: { url: string; token: string }) {
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      credentials: 'include',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { headers } = response
    return {
      status: response.status,
      body: (await response.json()) as {
        success?: boolean
        message?: string
        data?: unknown[]
        shareUsageData?: boolean
      },
      hasLink: headers.get('link') !== null,
      hasLimit: headers.get('ratelimit-remaining') !== null,
    }
  }
  try {
    return {
      installed: await send('POST', '/api/apps/install/store.one'),
      page: await send('GET', '/api/apps/available?limit=1'),
      privacy: await send('PUT', '/api/account/privacy', { shareUsageData: true }),
      unknown: await send('GET', '/api/apps/store.none'),
      document: (await fetch(`${url}/openapi.json`)).status,
    }
  } catch (error) {
    // Public documents are readable without credentials from every origin.
    return { blocked: String(error), document: (await fetch(`${url}/openapi.json`)).status }
  }
}

describe('browsers', { skip: browserMissing }, () => {
  test('HTTP-54: pages of an allowed and another origin', async (t) => {
    const [store, stranger] = await Promise.all([startSite(t), startSite(t)])
    const cloud = await startCloud(t, { env: { CORS_ORIGINS: store } })
    for (const packageName of ['store.one', 'store.two']) await cloud.registerApp({ packageName })
    const token = await cloud.token('shopper@example.org')
    const browser = await startBrowser(t)
    const runAt = async (origin: string) => {
      const page = await browser.newPage()
      await page.goto(origin)
      return page.evaluate(useCloud, { url: cloud.url, token })
    }

    const allowed = await runAt(store)
    assert.equal(allowed.blocked, undefined)
    assert.deepEqual([allowed.installed?.status, allowed.installed?.body.success], [200, true])
    assert.deepEqual(
      [allowed.page?.status, allowed.page?.body.data?.length, allowed.page?.hasLink, allowed.page?.hasLimit],
      [200, 1, true, true],
    )
    assert.deepEqual([allowed.privacy?.status, allowed.privacy?.body.shareUsageData], [200, true])
    assert.deepEqual([allowed.unknown?.status, allowed.unknown?.body.message], [404, 'App not found'])
    assert.equal(allowed.document, 200)

    const before = await cloud.request('GET', '/api/account/privacy', { token })
    const blocked = await runAt(stranger)
    assert.match(String(blocked.blocked), /Failed to fetch/)
    assert.equal(blocked.document, 200)
    assert.deepEqual((await cloud.request('GET', '/api/account/privacy', { token })).body, before.body)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { Browser } from '../support/account-browser.ts'
import { startCloud } from '../support/test-cloud.ts'

const password = 'correct horse battery'
const email = 'cfo@bigcorp.example'
const packageName = 'com.example.web'

interface OwnedApps {
  readonly data: readonly { readonly packageName: string }[]
}

describe('a user with an unconfirmed address', () => {
  eitherDatabase((database) => {
    test('OAU-15: receives no token for web pages of apps', async (t) => {
      const cloud = await startCloud(t, { database })
      await new Browser(cloud).signUp('first@example.com', password)
      await cloud.registerApp({ packageName, webviewURL: 'https://web.example.org', developerId: email })
      const browser = new Browser(cloud)
      const { id } = (await browser.signUp(email, password)).body.user
      await browser.request('POST', `/api/apps/install/${packageName}`)
      const requests = [
        ['/api/account/oauth/token', { packageName }],
        ['/api/auth/generate-webview-token', { packageName }],
        ['/api/auth/generate-webview-signed-user-token', { packageName }],
        ['/api/auth/hash-with-api-key', { packageName, stringToHash: email }],
      ] as const
      const statuses = () =>
        Promise.all(requests.map(async ([path, body]) => (await browser.request('POST', path, body)).status))
      assert.deepEqual(await statuses(), [403, 403, 403, 403])
      const url = { packageName, stringToHash: cloud.url }
      assert.equal((await browser.request('POST', '/api/auth/hash-with-api-key', url)).status, 200)
      await cloud.operator.users.setEmailVerified(id, Date.now())
      assert.deepEqual(await statuses(), [200, 200, 200, 200])
    })

    test('DAPI-11: owns the apps that they registered, none that was registered for the address', async (t) => {
      const cloud = await startCloud(t, { database })
      await new Browser(cloud).signUp('first@example.com', password)
      const hidden = { appStoreStatus: 'DEVELOPMENT', developerId: email } as const
      await cloud.registerApp({ packageName, ...hidden })
      const browser = new Browser(cloud)
      const { id } = (await browser.signUp(email, password, { name: 'The CFO' })).body.user
      const body = { packageName: 'com.example.own', name: 'Own', publicUrl: 'https://own.example.org' }
      assert.equal((await browser.request('POST', '/api/console/apps', body)).status, 200)
      const owned = async () => {
        const { data } = (await browser.request<OwnedApps>('GET', '/api/console/apps')).body
        return data.map((app) => app.packageName)
      }
      assert.deepEqual(await owned(), ['com.example.own'])
      assert.equal((await browser.request('GET', `/api/console/apps/${packageName}`)).status, 404)
      assert.equal((await browser.request('POST', `/api/console/apps/${packageName}/keys`)).status, 404)
      assert.equal((await browser.request('GET', `/api/apps/${packageName}`)).status, 404)
      const developerName = async (name: string) =>
        (await cloud.operator.apps.findByPackage(name))?.developerName
      assert.deepEqual(
        [await developerName(packageName), await developerName('com.example.own')],
        [null, 'The CFO'],
      )
      await cloud.operator.users.setEmailVerified(id, Date.now())
      assert.deepEqual(await owned(), ['com.example.own', packageName])
      assert.equal((await browser.request('GET', `/api/apps/${packageName}`)).status, 200)
      assert.equal(await developerName(packageName), 'The CFO')
    })

    test('ADM-4: cannot become an administrator', async (t) => {
      const cloud = await startCloud(t, { database })
      const administrator = new Browser(cloud)
      await administrator.signUp('first@example.com', password)
      const { id } = (await new Browser(cloud).signUp(email, password)).body.user
      const promote = () =>
        administrator.request('PUT', `/api/admin/users/${id}/administrator`, { isAdministrator: true })
      assert.equal((await promote()).status, 403)
      await cloud.operator.users.setEmailVerified(id, Date.now())
      assert.equal((await promote()).status, 200)
    })
  })
})

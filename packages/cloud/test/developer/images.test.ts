import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { drawPicture } from '@glasses-cloud/phone'
import { imageSize } from 'image-size'
import { systemClock } from '../../src/time/index.ts'
import { createDeveloper, newPackageName } from '../support/developer.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

/** The header of a PNG image of the given size; no more is read of it. */
function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0\x08\x06\0\0\0\0\0\0\0', 'latin1')
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  return header
}

describe('developer API: images', () => {
  const scope = suiteScope()
  let cloud: LocalCloud
  let time = 0

  before(async () => {
    cloud = await startCloud(scope, {
      overrides: { clock: { ...systemClock, now: () => Date.now() + time } },
    })
  })

  const blobs = async () => {
    const keys: string[] = []
    for await (const { key } of cloud.cloud.blobs.list('app-images/')) keys.push(key)
    return keys
  }
  const { jpeg } = drawPicture(1, 'small')

  test('DAPI-40 DAPI-41 DAPI-42: a logo replaces the previous one and is served to everyone', async () => {
    const ada = await createDeveloper(cloud, 'ada')
    const packageName = newPackageName()
    await ada.create(packageName, { appStoreStatus: 'PUBLISHED' })
    const before = (await blobs()).length
    assert.ok(imageSize(jpeg).width >= 100)
    for (const [file, type] of [
      [jpeg, 'image/jpeg'],
      [pngHeader(64, 2048), 'image/png'],
    ] as const) {
      const { status, body } = await ada.upload(`/apps/${packageName}/logo`, file)
      assert.equal(status, 200, body.message)
      const url = String(body.data.logoURL)
      assert.ok(url.startsWith(`${cloud.url}/api/app-images/`))
      const served = await fetch(url)
      assert.equal(served.status, 200)
      assert.equal(served.headers.get('content-type'), type)
      assert.equal(served.headers.get('x-content-type-options'), 'nosniff')
      assert.deepEqual(Buffer.from(await served.arrayBuffer()), Buffer.from(file))
      const store = await cloud.request<{ data: { logoURL: string } }>('GET', `/api/apps/${packageName}`)
      assert.equal(store.body.data.logoURL, url)
      assert.equal((await blobs()).length, before + 1)
      // A client that sends the app back keeps the logo.
      await ada.call('PATCH', `/apps/${packageName}`, { logoURL: url })
      assert.equal((await ada.call('GET', `/apps/${packageName}`)).body.data.logoURL, url)
    }
    await ada.call('PATCH', `/apps/${packageName}`, { logoURL: 'https://logo.example.org/x.png' })
    assert.equal((await blobs()).length, before)
    const unknown = await fetch(`${cloud.url}/api/app-images/${'0'.repeat(32)}.png`)
    assert.equal(unknown.status, 404)
    assert.equal((await fetch(`${cloud.url}/api/app-images/..%2F..%2Fauth-secret`)).status, 404)
  })

  test('DAPI-40: files that are no images, and images of another size, change nothing', async () => {
    const ada = await createDeveloper(cloud, 'ada')
    const packageName = newPackageName()
    await ada.create(packageName)
    const before = await blobs()
    const gif = Buffer.from('GIF89a\x80\0\x80\0\0\0\0', 'latin1')
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"></svg>')
    const large = Buffer.concat([pngHeader(500, 500), Buffer.alloc(1024 * 1024)])
    for (const [file, status] of [
      [Buffer.from('no image'), 400],
      [Buffer.alloc(0), 400],
      [gif, 400],
      [svg, 400],
      [jpeg.subarray(0, 20), 400],
      [pngHeader(63, 100), 400],
      [pngHeader(100, 2049), 400],
      [pngHeader(2 ** 31, 2 ** 31), 400],
      [large, 413],
    ] as const) {
      const rejected = await ada.upload(`/apps/${packageName}/logo`, file)
      assert.equal(rejected.status, status, rejected.body.message)
    }
    const unnamed = await ada.upload(`/apps/${packageName}/logo`, jpeg, 'other')
    assert.deepEqual([unnamed.status, unnamed.body.message], [400, 'An image is required, in the field file'])
    assert.equal((await ada.call('POST', `/apps/${packageName}/logo`, {})).status, 415)
    const eve = await createDeveloper(cloud, 'eve')
    assert.equal((await eve.upload(`/apps/${packageName}/logo`, jpeg)).status, 404)
    assert.equal((await ada.call('GET', `/apps/${packageName}`)).body.data.logoURL, '')
    assert.deepEqual(await blobs(), before)
  })

  test('CAT-37 DAPI-41 DAPI-42: screenshots are added in order, limited and deleted with the app', async () => {
    const ada = await createDeveloper(cloud, 'ada')
    const packageName = newPackageName()
    await ada.create(packageName)
    const before = await blobs()
    const uploads = await Promise.all(
      Array.from({ length: 10 }, () => ada.upload(`/apps/${packageName}/screenshots`, jpeg)),
    )
    assert.deepEqual(uploads.map(({ status }) => status).sort(), [
      ...Array(8).fill(200),
      ...Array(2).fill(409),
    ])
    const screenshots = async () =>
      (await ada.call('GET', `/apps/${packageName}`)).body.data.screenshots as string[]
    const [first = '', ...others] = await screenshots()
    await ada.call('POST', `/apps/${packageName}/publish`)
    const page = await cloud.request<{ data: { screenshots: string[] } }>('GET', `/api/apps/${packageName}`)
    assert.deepEqual(page.body.data.screenshots, [first, ...others])
    assert.equal((await blobs()).length, before.length + 8)
    const name = first.slice(first.lastIndexOf('/') + 1)
    assert.equal((await ada.call('DELETE', `/apps/${packageName}/screenshots/${name}`)).status, 200)
    assert.equal((await ada.call('DELETE', `/apps/${packageName}/screenshots/${name}`)).status, 404)
    assert.deepEqual(await screenshots(), others)
    assert.equal((await fetch(first)).status, 404)
    await ada.call('DELETE', `/apps/${packageName}`)
    assert.deepEqual(await blobs(), before)
  })

  test('DAPI-43: orphans of different ages', async () => {
    const ada = await createDeveloper(cloud, 'ada')
    const packageName = newPackageName()
    await ada.create(packageName)
    const path = `/apps/${packageName}`
    await ada.upload(`${path}/logo`, jpeg)
    await ada.upload(`${path}/screenshots`, jpeg)
    const used = await blobs()

    // A crash between the file and the row: the app is gone, its files are not.
    const lost = newPackageName()
    await ada.create(lost)
    await ada.upload(`/apps/${lost}/logo`, jpeg)
    await ada.upload(`/apps/${lost}/screenshots`, jpeg)
    await cloud.cloud.db.deleteFrom('apps').where('package_name', '=', lost).execute()
    const { images } = cloud.cloud.features.developer
    await images.sweep()
    assert.equal((await blobs()).length, used.length + 2)
    time += 61 * 60_000
    await images.sweep()
    assert.deepEqual((await blobs()).sort(), used.sort())
  })
})

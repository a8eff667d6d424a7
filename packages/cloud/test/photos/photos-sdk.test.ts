import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import { PhoneApi } from '@glasses-cloud/phone'
import { connectGlasses, galleryOf } from '../support/photo-app.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { startCloud, type TestManifest } from '../support/test-cloud.ts'

const packageName = 'dev.my-app.camera'

/** Connects glasses and starts the camera app, built on the unmodified SDK, until it waits for the button. */
async function startCameraApp(t: TestContext, permissions: TestManifest['permissions']) {
  const cloud = await startCloud(t)
  const { app } = await SdkApp.register(t, cloud, 'camera', {
    packageName,
    appType: 'BACKGROUND',
    permissions,
  })
  const token = await cloud.token('Ann-Marie@ex-ample.com')
  const glasses = await connectGlasses(t, cloud, token)
  const phone = new PhoneApi({ url: cloud.url, token })
  await phone.install(packageName)
  await phone.startApp(packageName)
  // The text is shown after the app has subscribed to the button.
  await glasses.waitForDisplay('Press the button', { timeoutMs: 20_000 })
  return { cloud, token, glasses, app }
}

describe('photos on the unmodified SDK', () => {
  test('PHO-30: a requested photo reaches the app and is stored in the gallery', async (t) => {
    const { cloud, token, glasses, app } = await startCameraApp(t, [{ type: 'CAMERA' }])
    const photoTaken = once(glasses, 'photo', { signal: AbortSignal.timeout(20_000) })
    glasses.pressButton()
    const [outcome] = await photoTaken
    assert.ok(outcome.ok)
    const size = outcome.picture.jpeg.length
    await app.waitForLine(new RegExp(`photo taken: image/jpeg, ${size} bytes`))
    const photos = await galleryOf(cloud, token)
    const metadata = { requestId: outcome.requestId, origin: 'app', packageName }
    assert.deepEqual(
      photos.map((photo) => [photo.size, photo.metadata]),
      [[size, metadata]],
    )
  })

  test('PHO-31: a failed photo is rejected immediately with the reason', async (t) => {
    const { glasses, app } = await startCameraApp(t, [{ type: 'CAMERA' }])
    glasses.camera = { kind: 'fail', errorCode: 'CAMERA_BUSY', errorMessage: 'a video is recorded' }
    glasses.pressButton()
    await app.waitForLine(/photo failed: .*a video is recorded \(code: CAMERA_BUSY\)/)
  })

  test('PHO-31: a photo request without the permission is rejected immediately', async (t) => {
    const { glasses, app } = await startCameraApp(t, [])
    glasses.pressButton()
    await app.waitForLine(
      /photo failed: .*does not declare the permission CAMERA \(code: PERMISSION_DENIED\)/,
    )
  })
})

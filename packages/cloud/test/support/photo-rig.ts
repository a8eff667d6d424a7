import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import type { Glasses, PhotoOutcome } from '@glasses-cloud/phone'
import { connectGlasses, type Delivery, PhotoApp } from './photo-app.ts'
import { type LocalCloud, startCloud } from './test-cloud.ts'

/** The package name of the camera app. */
export const photoPackage = 'app.photos'

/** A cloud with connected glasses and a running camera app. */
export interface PhotoRig {
  readonly cloud: LocalCloud
  readonly token: string
  readonly glasses: Glasses
  readonly app: PhotoApp
}

/** Starts a cloud, glasses that ignore photo requests by default, and a running camera app. */
export async function createPhotoRig(
  t: TestContext,
  options: Parameters<typeof startCloud>[1] = {},
): Promise<PhotoRig> {
  const cloud = await startCloud(t, options)
  const token = await cloud.token('ada@example.com')
  const glasses = await connectGlasses(t, cloud, token, { camera: { kind: 'ignore' } })
  const app = await PhotoApp.run(t, cloud, token, photoPackage)
  return { cloud, token, glasses, app }
}

/** Requests a photo as the app; returns the upload target that the glasses received. */
export async function requestPhoto({ app, glasses }: PhotoRig, requestId: string, more: object = {}) {
  app.requestPhoto(requestId, more)
  const request = await glasses.waitForMessage('photo_request', (message) => message.requestId === requestId)
  return { webhookUrl: String(request.webhookUrl), authToken: String(request.authToken) }
}

/** Runs `requestPhotoAsApp` and waits for what becomes of the photo at the glasses. */
export async function waitForOutcome(glasses: Glasses, requestPhotoAsApp: () => void): Promise<PhotoOutcome> {
  const answered = once(glasses, 'photo', { signal: AbortSignal.timeout(20_000) })
  requestPhotoAsApp()
  return (await answered)[0]
}

/** The number of stored photo blobs, once all pending work is done. */
export async function storedPhotos({ cloud }: PhotoRig): Promise<number> {
  await cloud.cloud.features.photos.relay.idle()
  let count = 0
  for await (const _ of cloud.cloud.blobs.list('photos/')) count += 1
  return count
}

/** The hop and the error code of a `photo_error` delivery. */
export const failureOf = ({ headers, fields }: Delivery) => {
  assert.match(String(headers['content-type']), /^multipart\/form-data; /)
  const { type, success, errorCode, hop } = fields
  assert.deepEqual([type, success], ['photo_error', 'false'])
  return [hop, errorCode]
}

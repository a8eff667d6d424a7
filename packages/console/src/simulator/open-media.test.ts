import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMedia } from './open-media.ts'

test('a microphone or camera that cannot be used is said with what to do', async () => {
  const failing = (error: Error) => ({ getUserMedia: () => Promise.reject(error) })
  const cases = [
    ['NotAllowedError', /^The browser does not give this page the camera\. Allow it/],
    ['NotFoundError', /^There is no camera\. Connect one/],
    ['NotReadableError', /^Another program uses the camera\. Close it/],
    ['AbortError', /^The browser could not open the camera\. Connect it again/],
  ] as const
  for (const [name, message] of cases)
    await assert.rejects(
      openMedia('camera', { video: true }, failing(new DOMException('as the browser says', name))),
      { message },
    )
  // Browsers hide the devices from pages over plain http; Node has none either.
  await assert.rejects(openMedia('microphone', { audio: true }, undefined), {
    message: 'Browsers give pages the microphone over https and at http://localhost only.',
  })
})

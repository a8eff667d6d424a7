import assert from 'node:assert/strict'
import { createToken } from '@mentra/sdk'
import { expect, type Step } from '../step.ts'

/** Known limitations of the SDK, and the app's own disconnect. */
export const disconnect: readonly Step[] = [
  {
    name: 'SDK limitations',
    run: async ({ session }) => {
      // Fails on Node: the SDK imports its JWT library as Bun does. So do validateToken and generateToken.
      const claims = { userId: session.userId, packageName: session.getPackageName(), sessionId: '' }
      assert.throws(
        () => createToken(claims, { secretKey: 'secret' }),
        'createToken works now: update this step',
      )
      // In 2.1.29 both request an invalid URL, regardless of the cloud, and log an error.
      expect(!(await session.isUserActive(session.userId)), 'isUserActive works now: update this step')
      expect((await session.getInstructions()) === null, 'getInstructions works now: update this step')
      expect(
        session.camera.cancelAllPhotoRequests() === 0,
        'cancelAllPhotoRequests works now: update this step',
      )
      return 'createToken, isUserActive, getInstructions'
    },
  },
  {
    name: 'disconnect',
    run: async ({ session }) => {
      // By releasing the ownership the app announces that it will not reconnect.
      await session.disconnect({ releaseOwnership: true, reason: 'clean_shutdown' })
      return 'disconnected'
    },
  },
]

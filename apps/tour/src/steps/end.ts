import assert from 'node:assert/strict'
import { createToken } from '@mentra/sdk'
import { expect, type Step } from '../step.ts'

/** What does not work, and how an app leaves by itself. */
export const end: readonly Step[] = [
  {
    name: 'what the SDK cannot do',
    run: async ({ session }) => {
      // Imports its library as Bun does, and finds it empty on Node; validateToken and generateToken as well.
      const claims = { userId: session.userId, packageName: session.getPackageName(), sessionId: '' }
      assert.throws(() => createToken(claims, { secretKey: 'secret' }), 'createToken works: mend this step')
      // In 2.1.29 both ask an address that is none, whatever the cloud, and say so in the log.
      expect(!(await session.isUserActive(session.userId)), 'isUserActive works: mend this step')
      expect((await session.getInstructions()) === null, 'getInstructions works: mend this step')
      expect(session.camera.cancelAllPhotoRequests() === 0, 'cancelAllPhotoRequests works: mend this step')
      return 'createToken, isUserActive, getInstructions'
    },
  },
  {
    name: 'goodbye',
    run: async ({ session }) => {
      // Giving up the session tells the cloud that the app is not coming back.
      await session.disconnect({ releaseOwnership: true, reason: 'clean_shutdown' })
      return 'left'
    },
  },
]

import { extractTempToken, extractTokenFromUrl, generateWebviewUrl } from '@mentra/sdk'
import { cloudUrl, expect, promptUser, type Step } from '../step.ts'

/** The session, and the authentication of the app's web pages. */
export const session: readonly Step[] = [
  {
    name: 'session',
    run: ({ session }) => {
      const { userId, capabilities } = session
      expect(session.getSessionId().endsWith(`-${session.getPackageName()}`), 'unexpected session id')
      expect(userId.includes('@'), 'unexpected user id')
      expect(
        session.getHttpsServerUrl() === cloudUrl(session).replace(/^http:/, 'https:'),
        'unexpected server URL',
      )
      return `with ${capabilities?.modelName}`
    },
  },
  {
    name: 'web view links',
    run: () => {
      const link = generateWebviewUrl('https://example.com/page', 'app-token')
      expect(extractTokenFromUrl(link) === 'app-token', 'the app token is lost')
      expect(extractTempToken(`${link}&aos_temp_token=t`) === 't', 'the temporary token is lost')
      return 'created and parsed'
    },
  },
  {
    name: 'web view',
    run: async ({ session, pages }) => {
      await promptUser<string>(session, 'Open the app on the phone', (resolve) => {
        const opened = (userId: string) => void (userId === session.userId && resolve(userId))
        pages.on('web', opened)
        return () => pages.off('web', opened)
      })
      return 'opened by the user'
    },
  },
  {
    name: 'tool',
    run: async ({ session, pages }) => {
      // The assistant calls the app server, which responds in `onToolCall` of tour-app.ts.
      await promptUser<string>(session, 'Ask your assistant to show “Tea at four”', (resolve) => {
        const called = (userId: string) => void (userId === session.userId && resolve(userId))
        pages.on('tool', called)
        return () => pages.off('tool', called)
      })
      return 'called for the user'
    },
  },
]

import { extractTempToken, extractTokenFromUrl, generateWebviewUrl } from '@mentra/sdk'
import { cloudUrl } from '../cloud-url.ts'
import { expect, type Step, wearerDoes } from '../step.ts'

/** Who the wearer is, and how pages of the app learn it. */
export const session: readonly Step[] = [
  {
    name: 'session',
    run: ({ session }) => {
      const { userId, capabilities } = session
      expect(session.getSessionId().endsWith(`-${session.getPackageName()}`), 'an odd session id')
      expect(userId.includes('@'), 'an odd user id')
      expect(session.getHttpsServerUrl() === cloudUrl(session).replace(/^http:/, 'https:'), 'an odd address')
      return `with ${capabilities?.modelName}`
    },
  },
  {
    name: 'links of its own',
    run: () => {
      const link = generateWebviewUrl('https://example.com/page', 'a token of the app')
      expect(extractTokenFromUrl(link) === 'a token of the app', 'a token is lost on its way')
      expect(
        extractTempToken(`${link}&aos_temp_token=t`) === 't',
        'the token of the phone is lost on its way',
      )
      return 'made and read'
    },
  },
  {
    name: 'web view',
    run: async ({ session, visitors }) => {
      await wearerDoes<string>(session, 'Open the app on the phone', (hear) => {
        const opened = (userId: string) => void (userId === session.userId && hear(userId))
        visitors.on('web', opened)
        return () => visitors.off('web', opened)
      })
      return 'opened by the wearer'
    },
  },
  {
    name: 'tool',
    run: async ({ session, visitors }) => {
      // The assistant calls the app's server, which answers in `onToolCall` of tour-app.ts.
      await wearerDoes<string>(session, 'Ask your assistant to show “Tea at four”', (hear) => {
        const called = (userId: string) => void (userId === session.userId && hear(userId))
        visitors.on('tool', called)
        return () => visitors.off('tool', called)
      })
      return 'called for the wearer'
    },
  },
]

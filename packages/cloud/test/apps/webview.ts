import { AppServer, type AuthenticatedRequest } from '@mentra/sdk'

/** An app on the unmodified SDK whose web view returns the id of its authenticated user at `/who`. */
const { API_KEY = '', PACKAGE_NAME = '', PORT } = process.env
const cookieSecret = 'only for tests'
const app = new AppServer({ packageName: PACKAGE_NAME, apiKey: API_KEY, port: Number(PORT), cookieSecret })
app.getExpressApp().get('/who', (request: AuthenticatedRequest, response: { json(body: unknown): void }) => {
  response.json({ userId: request.authUserId ?? null })
})
await app.start()

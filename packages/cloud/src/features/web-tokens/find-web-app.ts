import { fault } from '../../http/fault.ts'
import type { User } from '../../identity/index.ts'
import type { App, Catalogue } from '../catalogue/index.ts'

/** An app with web sign-in. */
export interface WebApp extends App {
  readonly webviewUrl: string
}

/**
 * Returns the app a user signs in to.
 * @throws Fault `APP_NOT_FOUND` if the user may not see it, `NO_WEB_AUTHENTICATION` if it has no web sign-in
 */
export async function findWebApp(catalogue: Catalogue, packageName: string, user: User): Promise<WebApp> {
  // PostgreSQL rejects strings with U+0000.
  const app = /\p{Cc}/u.test(packageName) ? undefined : await catalogue.find(packageName, user)
  if (app === undefined) throw fault('APP_NOT_FOUND')
  if (app.webviewUrl === null) throw fault('NO_WEB_AUTHENTICATION')
  return { ...app, webviewUrl: app.webviewUrl }
}

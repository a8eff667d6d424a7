import { fault } from '../../http/fault.ts'
import type { User } from '../../identity/index.ts'
import type { App, Catalogue } from '../catalogue/index.ts'

/** An app with a web page to sign in to. */
export interface WebApp extends App {
  readonly webviewUrl: string
}

/**
 * The app a user wants to sign in to.
 * @throws a fault when there is none that the user may see, or it has no web page
 */
export async function webAppOf(catalogue: Catalogue, packageName: string, user: User): Promise<WebApp> {
  // No package is named with a control character, and not every database takes the question.
  const app = /\p{Cc}/u.test(packageName) ? undefined : await catalogue.find(packageName, user)
  if (app === undefined) throw fault('APP_NOT_FOUND')
  if (app.webviewUrl === null) throw fault('NO_WEB_AUTHENTICATION')
  return { ...app, webviewUrl: app.webviewUrl }
}

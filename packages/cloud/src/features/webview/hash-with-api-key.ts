import { keyHashBody, keyHashResponse } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { findWebApp } from '../web-tokens/index.ts'
import type { WebviewEndpointDeps } from './deps.ts'
import { isHashable } from './hashable.ts'
import { webviewPath } from './schemas.ts'

/**
 * Hashes the URL of this cloud or the user's e-mail with the key of an app, so that the web view of the app can verify
 * it.
 */
export const hashWithApiKey = ({ catalogue, webTokens, publicUrl }: WebviewEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: webviewPath('hash-with-api-key'),
    summary: 'Hash the URL of this cloud with the key of an app',
    tags: ['webview'],
    style: 'bare',
    auth: coreToken,
    schema: { body: keyHashBody, response: { 200: keyHashResponse } },
    errors: ['APP_NOT_FOUND', 'NO_WEB_AUTHENTICATION', 'APP_NOT_YOURS', 'NOT_HASHABLE', 'APP_WITHOUT_KEY'],
    handler: async ({ caller: { user }, body: { packageName, stringToHash } }) => {
      const app = await findWebApp(catalogue, packageName, user)
      const isOwn = await catalogue.ownershipOf(user)
      const isInUse = catalogue.isSystemApp(packageName) || (await catalogue.hasInstalled(user, app))
      if (!isInUse && !isOwn(app)) throw fault('APP_NOT_YOURS')
      if (!isHashable(stringToHash, user.email, publicUrl())) throw fault('NOT_HASHABLE')
      const hash = await webTokens.hashWithKey(stringToHash, app.id)
      if (hash === undefined) throw fault('APP_WITHOUT_KEY')
      return { success: true as const, hash }
    },
  })

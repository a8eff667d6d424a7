import { keyHashBody, keyHashResponse } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { webAppOf } from '../oauth/index.ts'
import type { WebviewEndpointDeps } from './deps.ts'
import { isHashable } from './hashable.ts'
import { tags, webviewPath } from './schemas.ts'

/** Hashes the address of this cloud with the key of an app, by which the app's web view knows it for its own. */
export const hashWithApiKey = ({ catalogue, webTokens, publicUrl }: WebviewEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: webviewPath('hash-with-api-key'),
    summary: 'Hash the address of this cloud with the key of an app',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: { body: keyHashBody, response: { 200: keyHashResponse } },
    errors: ['APP_NOT_FOUND', 'NO_WEB_AUTHENTICATION', 'APP_NOT_YOURS', 'NOT_HASHABLE', 'APP_WITHOUT_KEY'],
    handler: async ({ caller: { user }, body: { packageName, stringToHash } }) => {
      const app = await webAppOf(catalogue, packageName, user)
      const isOwn = await catalogue.ownershipOf(user)
      const isInUse = catalogue.isSystemApp(packageName) || (await catalogue.hasInstalled(user, app))
      if (!isInUse && !isOwn(app)) throw fault('APP_NOT_YOURS')
      if (!isHashable(stringToHash, user.email, publicUrl())) throw fault('NOT_HASHABLE')
      const hash = await webTokens.keyHash(stringToHash, app.id)
      if (hash === undefined) throw fault('APP_WITHOUT_KEY')
      return { success: true as const, hash }
    },
  })

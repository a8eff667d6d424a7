import {
  deleteUserSettingResponse,
  saveUserSettingResponse,
  userSettingBody,
  userSettingResponse,
} from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { SettingsEndpointDeps } from './deps.ts'
import { keyParams, toResponse } from './schemas.ts'

const common = {
  url: '/api/client/user/settings/key/:key',
  tags: ['settings'],
  style: 'bare',
  auth: coreToken,
} as const

/** Returns one setting; an unset one has the value null. */
export const getUserSetting = ({ userSettings, now }: SettingsEndpointDeps) =>
  endpoint({
    ...common,
    method: 'GET',
    summary: 'Get one setting of the user',
    schema: { params: keyParams, response: { 200: userSettingResponse } },
    errors: [],
    handler: async ({ caller: { user }, params: { key } }) => {
      const settings = await userSettings.all(user.id)
      const exists = Object.hasOwn(settings, key)
      return toResponse({ key, value: exists ? settings[key] : null, exists }, now())
    },
  })

export const putUserSetting = ({ userSettings, now }: SettingsEndpointDeps) =>
  endpoint({
    ...common,
    method: 'PUT',
    summary: 'Set one setting of the user',
    schema: { params: keyParams, body: userSettingBody, response: { 200: saveUserSettingResponse } },
    errors: ['TOO_MANY_SETTINGS'],
    handler: async ({ caller: { user }, params: { key }, body: { value } }) => {
      await userSettings.merge(user.id, Object.fromEntries([[key, value]]))
      const stored = await userSettings.all(user.id)
      return toResponse({ key, value: Object.hasOwn(stored, key) ? stored[key] : null }, now())
    },
  })

/** Deletes one setting; succeeds if it is not set. */
export const deleteUserSetting = ({ userSettings, now }: SettingsEndpointDeps) =>
  endpoint({
    ...common,
    method: 'DELETE',
    summary: 'Delete one setting of the user',
    schema: { params: keyParams, response: { 200: deleteUserSettingResponse } },
    errors: [],
    handler: async ({ caller: { user }, params: { key } }) => {
      await userSettings.merge(user.id, Object.fromEntries([[key, null]]))
      return toResponse({ key, deleted: true as const }, now())
    },
  })

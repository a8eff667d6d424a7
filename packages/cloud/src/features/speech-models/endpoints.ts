import { type AdminSpeechModel, adminSpeechModel, adminSpeechModels } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { ChangeFeed } from '../../db/index.ts'
import { administrator } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { dataResponse, successResponse } from '../../http/schemas.ts'
import type { Audit } from '../audit/index.ts'
import { recognizedLanguages, recommendedModel } from './catalogue.ts'
import { MODEL_ID_PATTERN, type ModelManifest, type SpeechModel, sizeOf } from './speech-model.ts'
import type { Installation, SpeechModelStore } from './speech-model-store.ts'
import type { SpeechModels } from './speech-models.ts'

export interface SpeechModelEndpointDeps {
  readonly models: SpeechModels
  readonly store: SpeechModelStore
  readonly audit: Audit
  readonly changes: ChangeFeed
  /** The models that are offered. */
  readonly catalogue: readonly ModelManifest[]
}

const common = { tags: ['administration'], style: 'coded', auth: administrator } as const

const params = Type.Object({ id: Type.String({ pattern: MODEL_ID_PATTERN }) })

export const speechModelEndpoints = ({
  models,
  store,
  audit,
  changes,
  catalogue,
}: SpeechModelEndpointDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/admin/speech-models',
    summary: 'List speech models: those of the catalogue, and those that are installed or being installed',
    audited: [],
    schema: {
      querystring: Type.Object({
        language: Type.Optional(
          Type.String({
            pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8}){0,4}$',
            description: 'Language of the recommendation, such as de-AT',
          }),
        ),
      }),
      response: { 200: dataResponse(adminSpeechModels) },
    },
    errors: [],
    handler: async ({ query: { language } }) => {
      // In this order: an installation that completes in between is in the second list.
      const installations = await store.listInstallations()
      const installed = (await store.listInstalled()).map(({ model }) => model)
      const recommended =
        language === undefined ? undefined : recommendedModel(language, installed, catalogue)
      const data = {
        models: listModels(catalogue, installed, installations),
        installedLanguages: recognizedLanguages(installed),
        ...(recommended && { recommended: recommended.id }),
      }
      return { success: true as const, data }
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: '/api/admin/speech-models',
    summary: 'Install a speech model of the catalogue, or one whose manifest is at an address',
    audited: ['speech-model.install'],
    schema: {
      body: Type.Object(
        {
          id: Type.Optional(Type.String({ pattern: MODEL_ID_PATTERN, description: 'Of the catalogue' })),
          url: Type.Optional(
            Type.String({
              pattern: '^https?://[^\\s]+$',
              maxLength: 2_000,
              description: 'Of a manifest, such as the model.json of an installed model',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      response: { 200: dataResponse(adminSpeechModel) },
    },
    errors: [
      'SPEECH_MODEL_NOT_FOUND',
      'SPEECH_MODEL_UNREACHABLE',
      'SPEECH_MODEL_INVALID',
      'SPEECH_MODEL_INSTALLED',
      'SPEECH_MODEL_INSTALLING',
    ],
    handler: async ({ caller: { user: actor }, body, request }) => {
      if ((body.id === undefined) === (body.url === undefined))
        throw fault('BAD_REQUEST', { message: 'Either id or url is required' })
      const manifest = await models.findManifest(body)
      const { id: target } = manifest
      const details = { source: body.url ?? 'catalogue' }
      const act = { actor, request, action: 'speech-model.install', target, details } as const
      await audit.write(act, (trx) => models.request(manifest, trx))
      models.wake()
      return {
        success: true as const,
        data: viewOf(catalogue, manifest, { state: 'installing', receivedBytes: 0 }),
      }
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: '/api/admin/speech-models/:id/cancel',
    summary: 'Cancel the installation of a speech model, or forget one that failed',
    audited: ['speech-model.cancel'],
    schema: { params, response: { 200: successResponse } },
    errors: ['SPEECH_MODEL_NOT_FOUND'],
    invalid: 'SPEECH_MODEL_NOT_FOUND',
    handler: async ({ caller: { user: actor }, params: { id: target }, request }) => {
      const act = { actor, request, action: 'speech-model.cancel', target } as const
      const canceled = await audit.write(act, async (trx) => {
        const found = await store.within(trx).cancel(target)
        if (found === undefined) throw fault('SPEECH_MODEL_NOT_FOUND')
        return found
      })
      await models.deleteRemains(canceled)
      return { success: true as const }
    },
  }),
  endpoint({
    ...common,
    method: 'DELETE',
    url: '/api/admin/speech-models/:id',
    summary: 'Remove an installed speech model',
    audited: ['speech-model.remove'],
    schema: { params, response: { 200: successResponse } },
    errors: ['SPEECH_MODEL_NOT_FOUND'],
    invalid: 'SPEECH_MODEL_NOT_FOUND',
    handler: async ({ caller: { user: actor }, params: { id: target }, request }) => {
      const act = { actor, request, action: 'speech-model.remove', target } as const
      const removed = await audit.write(act, async (trx) => {
        const found = await store.within(trx).remove(target)
        if (found === undefined) throw fault('SPEECH_MODEL_NOT_FOUND')
        return found
      })
      await changes.catchUp()
      await models.deleteFiles(removed)
      return { success: true as const }
    },
  }),
]

/** Returns the models of the catalogue in its order, and after them the others. */
function listModels(
  catalogue: readonly ModelManifest[],
  installed: readonly SpeechModel[],
  installations: readonly Installation[],
): AdminSpeechModel[] {
  const view = (manifest: ModelManifest | SpeechModel, state: State) => viewOf(catalogue, manifest, state)
  const known = new Map<string, AdminSpeechModel>()
  for (const { id, manifest, isFailed, failure, receivedBytes } of installations)
    known.set(
      id,
      view(manifest, {
        state: isFailed ? 'failed' : 'installing',
        receivedBytes,
        ...(failure !== undefined && { failure }),
      }),
    )
  for (const model of installed) known.set(model.id, view(model, { state: 'installed' }))
  const listed = catalogue.map((manifest) => {
    const found = known.get(manifest.id)
    known.delete(manifest.id)
    return found ?? view(manifest, { state: 'available' })
  })
  return [...listed, ...known.values()]
}

type State = Pick<AdminSpeechModel, 'state' | 'receivedBytes' | 'failure'>

function viewOf(
  catalogue: readonly ModelManifest[],
  manifest: ModelManifest | SpeechModel,
  state: State,
): AdminSpeechModel {
  const { id, name, kind, languages, detectsLanguage, memoryBytes, license, source } = manifest
  const listed = catalogue.find((each) => each.id === id)
  const bytes = sizeOf(manifest)
  return {
    id,
    name,
    kind,
    languages: [...languages],
    detectsLanguage,
    ...(bytes !== undefined && { bytes }),
    memoryBytes,
    license,
    source,
    ...(listed?.checked !== undefined && { checked: listed.checked }),
    isListed: listed !== undefined,
    ...state,
  }
}

import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { reload } from './query-client.ts'
import type { components } from './schema.d.ts'

type Schemas = components['schemas']
export type SpeechModel = Schemas['AdminSpeechModel']
export type SpeechModels = Schemas['AdminSpeechModels']

const KEY = 'speech-models'

/** Interval in ms between readings while a model is being installed. */
const INSTALLING_POLL_MS = 2_000

/** The speech models of the cloud, and the recommended one for the first language of the browser. For administrators. */
export const speechModelsQuery = queryOptions({
  queryKey: [KEY],
  queryFn: async ({ signal }) => {
    const query = { language: navigator.language }
    return (await unwrap(api.GET('/api/admin/speech-models', { params: { query }, signal }))).data
  },
  refetchInterval: ({ state: { data } }) => (data?.models.some(isInstalling) ? INSTALLING_POLL_MS : false),
})

export const isInstalling = ({ state }: SpeechModel) => state === 'installing'

/** What administrators can do with speech models; each reloads the list. */
export function useSpeechModels() {
  const queryClient = useQueryClient()
  const reloadAfter = async <Data>(request: Promise<Data>): Promise<Data> => {
    const data = await request
    await reload(queryClient, { queryKey: [KEY] })
    return data
  }
  const path = (id: string) => ({ params: { path: { id } } })
  return {
    install: (id: string) => reloadAfter(unwrap(api.POST('/api/admin/speech-models', { body: { id } }))),
    installFrom: (url: string) =>
      reloadAfter(unwrap(api.POST('/api/admin/speech-models', { body: { url } }))),
    cancel: (id: string) => reloadAfter(unwrap(api.POST('/api/admin/speech-models/{id}/cancel', path(id)))),
    remove: (id: string) => reloadAfter(unwrap(api.DELETE('/api/admin/speech-models/{id}', path(id)))),
  }
}

export { createExternalProvider } from './create-provider.ts'
export { createStreams } from './feature.ts'
export type { StreamingProvider } from './provider.ts'

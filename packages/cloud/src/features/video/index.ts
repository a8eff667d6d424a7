export { createExternalProvider } from './create-provider.ts'
export { createVideo } from './feature.ts'
export type { StreamingProvider } from './provider.ts'

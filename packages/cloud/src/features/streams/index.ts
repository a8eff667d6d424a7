export { createStreams } from './feature.ts'
export type { StreamingProvider } from './provider.ts'

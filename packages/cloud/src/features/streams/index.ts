export { createStreamingProvider } from './create-provider.ts'
export { streamEndpoints } from './endpoints.ts'
export { LiveStreams } from './live-streams.ts'
export type { StreamingProvider } from './provider.ts'

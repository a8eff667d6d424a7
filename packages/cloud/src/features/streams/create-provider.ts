import type { Config } from '../../config/index.ts'
import type { Clock } from '../../session/index.ts'
import { MemoryStreamingProvider } from './memory-provider.ts'
import type { StreamingProvider } from './provider.ts'

/** The streaming provider of the settings; undefined if they name none. */
export function createStreamingProvider(
  { provider }: Config['streaming'],
  clock: Clock,
): StreamingProvider | undefined {
  switch (provider) {
    case 'memory':
      return new MemoryStreamingProvider(clock)
    case undefined:
      return undefined
  }
}

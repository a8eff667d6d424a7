import type { Config } from '../../config/index.ts'
import type { Clock } from '../../session/index.ts'
import { MemoryStreamingProvider } from './memory-provider.ts'
import type { StreamingProvider } from './provider.ts'

/** Creates the configured streaming provider; undefined if none is configured. */
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

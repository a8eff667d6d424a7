import type { Dialect } from '@glasses-cloud/contract'
import manifest from '../../package.json' with { type: 'json' }
import type { Config } from './config.ts'

/** What the cloud says of itself (decision C12). */
export interface About {
  readonly version: string
  /** Forms of socket messages it speaks. */
  readonly protocols: readonly Dialect[]
  /** Names of what it works with, by what they do; never where they are. */
  readonly providers: Readonly<Record<string, string>>
}

/** What the cloud of these settings says of itself. */
export function aboutCloud({ data, streaming }: Config): About {
  return {
    version: manifest.version,
    protocols: ['flat', 'envelope'],
    providers: {
      database: data.databaseUrl === undefined ? 'sqlite' : 'postgresql',
      ...(streaming.provider === undefined ? {} : { streaming: streaming.provider }),
    },
  }
}

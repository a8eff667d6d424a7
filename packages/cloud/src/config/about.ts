import type { Dialect } from '@glasses-cloud/contract'
import manifest from '../../package.json' with { type: 'json' }
import type { Config } from './config.ts'

/** Version of this cloud, which follows semantic versioning of the REST and socket contracts (docs/install.md). */
export const VERSION: string = manifest.version

/** Public description of this cloud (decision C12). */
export interface About {
  readonly version: string
  /** Supported dialects of socket messages. */
  readonly protocols: readonly Dialect[]
  /** Names of providers by purpose; never their addresses. */
  readonly providers: Readonly<Record<string, string>>
}

/** Returns the public description of a cloud with this configuration. */
export function aboutCloud({ data, streaming, stt, translation, tts }: Config): About {
  return {
    version: VERSION,
    protocols: ['flat', 'envelope'],
    providers: {
      database: data.databaseUrl === undefined ? 'sqlite' : 'postgresql',
      ...(streaming.provider === 'none' ? {} : { streaming: streaming.provider }),
      ...(stt.providers.length === 0 ? {} : { speech: stt.providers.map(({ name }) => name).join(', ') }),
      ...(translation === undefined ? {} : { translation: translation.provider }),
      ...(tts.provider === 'none' ? {} : { tts: tts.provider }),
    },
  }
}

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

/**
 * Compares two versions by major, minor and patch number; what follows them, such as `-rc.1`, does not count.
 * @returns negative if the first one is older, 0 if they are equal
 */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [numbersOf(one), numbersOf(other)]
  const index = first.findIndex((number, position) => number !== second[position])
  return index < 0 ? 0 : (first[index] ?? 0) - (second[index] ?? 0)
}

/** Returns the first version of the major version that a version belongs to. */
export function firstOfMajor(version: string): string {
  return `${numbersOf(version)[0]}.0.0`
}

function numbersOf(version: string): readonly [number, number, number] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []
  if (patch === undefined) throw new Error(`${version} is not a version such as 1.0.0`)
  return [Number(major), Number(minor), Number(patch)]
}

import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { parseEnv } from 'node:util'
import { type Config, readConfig } from './config.ts'
import type { Env } from './env.ts'

/**
 * Reads the settings of this process from its environment, and unset variables from `.env` in the working directory.
 * @throws ConfigError with one problem for each invalid value
 */
export function loadConfig(): Config {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  const fromFile = Object.keys(file).filter((name) => process.env[name] === undefined)
  for (const name of fromFile) process.env[name] = file[name]
  return readConfig(process.env, new Set(fromFile))
}

/** What commands that talk to a cloud over HTTP read from the environment. */
export interface RemoteSettings {
  /** `GLASSES_CLOUD_URL`: address of the cloud. */
  readonly url: string | undefined
  /** `GLASSES_CLOUD_TOKEN`: a personal access token, for CI. */
  readonly token: string | undefined
  /** File with the tokens that `login` obtained. */
  readonly credentialsFile: string
}

/** Reads the settings of commands that talk to a cloud over HTTP. */
export function readRemoteSettings(env: Env): RemoteSettings {
  const folder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return {
    url: env.GLASSES_CLOUD_URL?.trim() || undefined,
    token: env.GLASSES_CLOUD_TOKEN?.trim() || undefined,
    credentialsFile: join(folder, 'glasses-cloud', 'credentials.json'),
  }
}

/** Reads the settings of this process; see {@link readRemoteSettings}. */
export function loadRemoteSettings(): RemoteSettings {
  return readRemoteSettings(process.env)
}

/**
 * Finds a program as the operating system does: a name in the search path, or a path.
 * @returns undefined if there is none that this account may run
 */
export function findProgram(name: string): string | undefined {
  const candidates = name.includes('/')
    ? [name]
    : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder || '.', name))
  return candidates.find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

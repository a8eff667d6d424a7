import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { type Config, readConfig } from './config.ts'
import { ConfigError, type Env } from './env.ts'
import { type EnvFile, readEnvFile } from './env-file.ts'
import { isFileOfSetting } from './misspelled.ts'
import { decodeText } from './text-file.ts'

/**
 * Reads the settings of this process from its environment, and unset variables from `.env` in the working directory and from
 * the files that `NAME_FILE` names for a setting `NAME`.
 * @throws ConfigError with one problem for each invalid value
 */
export function loadConfig(): Config {
  // The package for Debian has Node read this file, which does not read all that people write.
  const { values, warnings } = readDotEnv(process.env.GLASSES_CLOUD_ENV_FILE ?? '.env')
  const fromFile = Object.keys(values).filter((name) => process.env[name] === undefined)
  for (const name of fromFile) process.env[name] = values[name]
  const env = { ...process.env, ...readValueFiles(process.env) }
  return readConfig(env, { fromFile: new Set(fromFile), warnings })
}

function readDotEnv(path: string): EnvFile {
  if (existsSync(path)) return readEnvFile(readFile(path, path), basename(path))
  // Notepad of Windows adds `.txt` to a name.
  const warnings = existsSync(`${path}.txt`) ? [`${path}.txt has no effect; rename it to ${path}`] : []
  return { values: {}, warnings }
}

/** Reads the settings that are in files of their own, such as secrets of containers. */
function readValueFiles(env: Env): Env {
  const names = Object.keys(env).filter((name) => isFileOfSetting(name) && env[name]?.trim())
  return Object.fromEntries(
    names.map((fileName) => {
      const name = fileName.replace(/_FILE$/, '')
      if (env[name]) throw new ConfigError([`${fileName} must not be set together with ${name}.`])
      return [name, decodeText(readFile(String(env[fileName]).trim(), fileName)).trim()]
    }),
  )
}

function readFile(path: string, name: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new ConfigError([`${name} cannot be read (${(cause as NodeJS.ErrnoException).code}).`])
  }
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

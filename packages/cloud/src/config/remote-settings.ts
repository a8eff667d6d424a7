import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Env } from './env.ts'

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

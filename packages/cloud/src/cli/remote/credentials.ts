import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError } from '../command.ts'

/** A token of a cloud. */
export interface Credential {
  /** E-mail address of the user. */
  readonly email: string
  /** Personal access token. */
  readonly token: string
}

/** The tokens that `login` obtained. */
export interface Credentials {
  /** The cloud that was signed in to last. */
  readonly current?: string
  /** By the address of the cloud. */
  readonly clouds: Readonly<Record<string, Credential>>
}

const NONE: Credentials = { clouds: {} }

/** Reads the credentials file; empty if there is none. @throws CommandError if it cannot be read */
export async function readCredentials(file: string): Promise<Credentials> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new CommandError(`${file} cannot be read (${error.code})`)
  })
  if (text === undefined) return NONE
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && 'clouds' in value) return value as Credentials
  } catch {}
  throw new CommandError(`${file} is damaged; delete it and run login again`)
}

/** Replaces the credentials file, which only the user of the process can read. */
export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, file)
}

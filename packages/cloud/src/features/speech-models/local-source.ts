import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import { readTextFile } from '../../config/index.ts'
import { InstallError } from './install-error.ts'
import { MANIFEST_FILE, MAX_MODEL_BYTES } from './speech-model.ts'

/** Files that are unpacked of an archive at most. */
const MAX_ENTRIES = 5_000

/** A path of an archive that stays below its folder. */
const SAFE_PATH = /^(?!.*(?:^|\/)\.\.?(?:\/|$))[^/\\\0][^\\\0]*$/

/**
 * Returns the folder of the files of a model in a folder or a tar file of this machine.
 * @param path a folder, a `.tar` or a `.tar.gz`
 * @param temporary creates a folder to unpack a tar file into
 * @throws InstallError
 */
export async function openLocalSource(path: string, temporary: () => Promise<string>): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new InstallError(`${path} cannot be read (${error.code})`)
  })
  if (found.isDirectory()) return skipTopFolder(path)
  if (/\.(?:tar\.)?(?:bz2|xz|zst|zip)$/.test(path))
    throw new InstallError(`Unpack ${path} first, and name the folder`)
  if (!/\.(?:tar|tar\.gz|tgz)$/.test(path))
    throw new InstallError(`${path} is neither a folder nor a .tar or .tar.gz file`)
  const folder = await temporary()
  await unpack(path, folder)
  return skipTopFolder(folder)
}

/** Reads the manifest in a folder. @throws InstallError */
export async function readLocalManifest(folder: string): Promise<unknown> {
  const file = join(folder, MANIFEST_FILE)
  const text = await readTextFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new InstallError(
      error.code === 'ENOENT'
        ? `There is no ${MANIFEST_FILE} in ${folder}; name the model of the catalogue that the files are of`
        : `${file} cannot be read (${error.code})`,
    )
  })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new InstallError(`${file} is not valid JSON`, { cause })
  }
}

/** Archives contain one folder, as a rule. */
async function skipTopFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  const [only] = entries
  return entries.length === 1 && only?.isDirectory() ? join(folder, only.name) : folder
}

async function unpack(path: string, folder: string): Promise<void> {
  const file = createReadStream(path)
  const bytes = path.endsWith('.tar') ? file : file.pipe(createGunzip())
  file.on('error', (error) => bytes.destroy(error))
  const decoder = createTarDecoder({ strict: true })
  let [entries, size] = [0, 0]
  try {
    const content = Readable.toWeb(bytes) as ReadableStream<Uint8Array>
    for await (const { header, body } of content.pipeThrough(decoder)) {
      const name = header.name.replace(/^(?:\.\/)+/, '')
      if ((header.type !== undefined && header.type !== 'file') || !SAFE_PATH.test(name)) {
        await body.cancel()
        continue
      }
      entries += 1
      size += header.size
      if (entries > MAX_ENTRIES || size > MAX_MODEL_BYTES)
        throw new InstallError(`${path} has more files, or larger ones, than a model may have`)
      const target = join(folder, name)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await pipeline(Readable.fromWeb(body as never), createWriteStream(target, { mode: 0o600 }))
    }
  } catch (error) {
    if (error instanceof InstallError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new InstallError(
      code === 'ENOSPC' ? `The disk is too full to unpack ${path}` : `${path} is damaged, or not a tar file`,
      { cause: error },
    )
  } finally {
    file.destroy()
  }
}

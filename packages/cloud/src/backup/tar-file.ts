import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, open, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createTarDecoder, createTarPacker } from 'modern-tar'
import type { Blob, DiskSpace } from '../blobs/index.ts'
import { renameNew } from '../rename-new.ts'
import type { BackupKey, BackupLock } from './encryption.ts'
import { createEncrypter, decrypted } from './encryption.ts'
import {
  type BackupEntry,
  BackupError,
  type BackupSink,
  type BackupSource,
  damaged,
  FILES_FOLDER,
  type StoredFile,
} from './format.ts'

/** Bytes after which the space on the disk is checked again. */
const CHECK_SPACE_EVERY_BYTES = 4 * 1024 * 1024

/**
 * Writes a backup as a tar file, encrypted as a whole if there is a lock. The file has the mode 0600 and appears under
 * its name when it is complete; until then its name ends with `.partial`.
 * @throws BackupError if a file of that name exists
 */
export async function createTarSink(
  file: string,
  lock: BackupLock | undefined,
  space?: DiskSpace,
): Promise<BackupSink> {
  if ((await stat(file).catch(() => undefined)) !== undefined)
    throw new BackupError(`${file} exists. Choose another name, or move it away.`)
  const encrypter = lock && createEncrypter(lock)
  const partial = `${file}.partial`
  await space?.check()
  const handle = await open(partial, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`${partial} cannot be written (${error.code}). Name a folder that exists.`)
  })
  await handle.chmod(0o600)
  const { readable, controller } = createTarPacker()
  let written = 0
  let checkedAt = 0
  const counting = new Transform({
    transform(chunk: Uint8Array, _, done) {
      written += chunk.byteLength
      if (written - checkedAt < CHECK_SPACE_EVERY_BYTES || space === undefined) return done(null, chunk)
      checkedAt = written
      space.check().then(() => done(null, chunk), done)
    },
  })
  const content = encrypter ? await encrypter.encrypt(readable) : readable
  const target = createWriteStream('', { fd: handle, flush: true })
  const writing = pipeline(Readable.fromWeb(content as never), counting, target)
  writing.catch((error: unknown) => controller.error(error))

  const add = async (name: string, size: number, chunks: AsyncIterable<Uint8Array>): Promise<string> => {
    const entry = controller.add({ name, size, mode: 0o600, mtime: new Date(0) }).getWriter()
    const hash = createHash('sha256')
    for await (const chunk of chunks) {
      hash.update(chunk)
      await entry.write(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    }
    await entry.close()
    return hash.digest('hex')
  }

  return {
    async add(name, content) {
      await add(name, content.byteLength, chunksOf(content))
    },
    async addFile(key, openBlob): Promise<StoredFile | undefined> {
      const blob = await openBlob()
      if (blob === undefined) return undefined
      return { key, size: blob.size, sha256: await add(FILES_FOLDER + key, blob.size, contentOf(blob)) }
    },
    async finish() {
      controller.finalize()
      await writing
      await renameNew(partial, file)
      await syncFolder(dirname(file))
      return written
    },
    async abort() {
      controller.error(new Error('The backup was aborted'))
      await writing.catch(() => {})
      await handle.close().catch(() => {})
      await rm(partial, { force: true })
    },
  }
}

/** Fails if a file is shorter or longer than it was when it was opened. */
async function* contentOf({ size, stream }: Blob): AsyncGenerator<Uint8Array> {
  let read = 0
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    read += chunk.byteLength
    yield chunk
  }
  if (read !== size) throw new Error(`A file has ${read} bytes instead of ${size}`)
}

async function* chunksOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Reads a backup that is a tar file. @param key opens it if it is encrypted */
export function openTarSource(file: string, key: BackupKey): BackupSource {
  return {
    name: file,
    async *entries() {
      await access(file).catch((error: NodeJS.ErrnoException) => {
        throw new BackupError(`${file} cannot be read (${error.code}).`)
      })
      const bytes = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>
      const { stream } = await decrypted(bytes, key, file)
      const decoder = createTarDecoder({ strict: true })
      try {
        for await (const { header, body } of stream.pipeThrough(decoder)) {
          if (header.type !== undefined && header.type !== 'file') throw damaged(header.name)
          const { name, size } = header
          yield { name, size, content: withSentences(body, file) } satisfies BackupEntry
        }
      } catch (error) {
        throw readError(error, file)
      }
    },
  }
}

/** The content of an entry, whose consumer reads the errors of the tar file. */
async function* withSentences(content: AsyncIterable<Uint8Array>, file: string) {
  try {
    yield* content
  } catch (error) {
    throw readError(error, file)
  }
}

/** Errors of the tar format, of authentication and of the disk become a sentence. */
function readError(error: unknown, file: string): unknown {
  if (error instanceof BackupError) return error
  if ((error as NodeJS.ErrnoException).code !== undefined) return error
  return damaged(file)
}

import { Decrypter, Encrypter, type Identity } from 'age-encryption'
import { BackupError } from './format.ts'

/** What a backup is encrypted with: the format is age (ADR 44), which the program `age` reads too. */
export type BackupLock =
  | {
      readonly passphrase: string
      /** Base-2 logarithm of the work that a guess takes; by default 18, about a second. */
      readonly workFactor?: number
      readonly recipients?: undefined
    }
  /** Public keys `age1…`: whoever makes the backup cannot read it. */
  | { readonly recipients: readonly string[]; readonly passphrase?: undefined }

/** What an encrypted backup is opened with; several are tried. */
export interface BackupKey {
  readonly passphrase?: string | undefined
  /** Private keys `AGE-SECRET-KEY-1…`. */
  readonly identities?: readonly (string | Identity)[] | undefined
}

const MAGIC = 'age-encryption.org/'

/** Shortest passphrase. An offline attack tries a few hundred a second on a processor. */
export const MIN_PASSPHRASE_LENGTH = 12

/** Creates an encrypter. @throws BackupError if a recipient is malformed */
export function createEncrypter(lock: BackupLock): Encrypter {
  const encrypter = new Encrypter()
  if (lock.passphrase !== undefined) {
    encrypter.setPassphrase(lock.passphrase)
    if (lock.workFactor !== undefined) encrypter.setScryptWorkFactor(lock.workFactor)
  }
  for (const recipient of lock.recipients ?? []) {
    try {
      encrypter.addRecipient(recipient)
    } catch (cause) {
      throw new BackupError(
        `"${recipient}" is not the public key of age (age1…). "age-keygen -o key.txt" makes a key and prints its public part.`,
        { cause },
      )
    }
  }
  return encrypter
}

/**
 * Returns the content of a stream, decrypted if it is encrypted.
 * @param name of the backup, for messages
 * @throws BackupError if the key is missing or wrong
 */
export async function decrypted(
  content: ReadableStream<Uint8Array>,
  key: BackupKey,
  name: string,
): Promise<{ readonly stream: ReadableStream<Uint8Array>; readonly isEncrypted: boolean }> {
  const { start, stream } = await peek(content, MAGIC.length)
  if (start !== MAGIC) return { stream, isEncrypted: false }
  const decrypter = createDecrypter(key)
  if (decrypter === undefined)
    throw new BackupError(
      `${name} is encrypted. Name the file with the private key (--identity), or the file with the passphrase (--passphrase-file).`,
    )
  try {
    return { stream: await decrypter.decrypt(stream), isEncrypted: true }
  } catch (cause) {
    throw new BackupError(
      `${name} cannot be decrypted with this key or passphrase, or its beginning is damaged.`,
      { cause },
    )
  }
}

/** Creates a decrypter; undefined without a key. @throws BackupError if an identity is malformed */
function createDecrypter({ passphrase, identities = [] }: BackupKey): Decrypter | undefined {
  if (passphrase === undefined && identities.length === 0) return undefined
  const decrypter = new Decrypter()
  if (passphrase !== undefined) decrypter.addPassphrase(passphrase)
  for (const identity of identities) {
    try {
      decrypter.addIdentity(identity)
    } catch (cause) {
      throw new BackupError('The file with the private key has a line that is not AGE-SECRET-KEY-1…', {
        cause,
      })
    }
  }
  return decrypter
}

/** Reads the first bytes of a stream, as Latin-1, without consuming them. */
async function peek(content: ReadableStream<Uint8Array>, length: number) {
  const reader = content.getReader()
  const chunks: Uint8Array[] = []
  for (let read = 0; read < length; ) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    read += value.byteLength
  }
  const start = Buffer.concat(chunks).subarray(0, length).toString('latin1')
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = chunks.shift()
        if (chunk) return controller.enqueue(chunk)
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return { start, stream }
}
